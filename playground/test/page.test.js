// The playground in Chromium, by clicking: once as one file from the disk, once from a server under its policy.
// SCREENSHOTS=folder keeps pictures.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { createServer } from "node:http";
import { extname } from "node:path";
import { after, before, test } from "node:test";
import { brotliCompressSync } from "node:zlib";
import { chromium } from "playwright-core";

const FLAGS = ["--no-sandbox", "--disable-gpu", "--no-first-run", "--disable-background-networking", "--disable-component-update", "--disable-sync"];
const TYPES = { ".html": "text/html; charset=utf-8", ".js": "text/javascript", ".css": "text/css", ".wasm": "application/wasm" };
const POLICY = "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; style-src 'self'; connect-src 'self'";
const built = new URL("../../target/playground/", import.meta.url);
const WAIT = { timeout: 60_000 };
// The most that a module may have on the way to a browser, packed by brotli.
const SIZES = { "aldis.wasm": 340_000, "aldis-capnp.wasm": 340_000, "aldis-languages.wasm": 1_300_000 };

let browser;
let server;

before(async () => {
  browser = await chromium.launch({ executablePath: process.env.CHROMIUM ?? "/usr/bin/chromium", args: FLAGS });
  server = createServer((request, response) => {
    const name = new URL(request.url, "http://x").pathname.slice(1) || "index.html";
    if (!/^[\w-]+\.\w+$/.test(name)) return response.writeHead(404).end();
    response.writeHead(200, { "content-type": TYPES[extname(name)], "content-security-policy": POLICY }).end(readFileSync(new URL(`site/${name}`, built)));
  });
  await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
});

after(async () => {
  await browser?.close();
  server?.close();
});

async function opened(url, options = {}) {
  const page = await browser.newPage({ viewport: { width: 1280, height: 900 }, ...options });
  page.faults = [];
  page.asked = [];
  page.on("pageerror", (error) => page.faults.push(error.message));
  page.on("console", (message) => message.type() === "error" && page.faults.push(message.text()));
  page.on("request", (request) => page.asked.push(request.url()));
  await page.goto(url);
  await page.waitForFunction(() => document.querySelectorAll("#rows tr").length > 0, undefined, WAIT);
  return page;
}

const site = () => `http://127.0.0.1:${server.address().port}/`;
const paths = (page) => [...new Set(page.asked.map((url) => new URL(url).pathname))].sort();
const loaded = (page) => paths(page).filter((path) => path.endsWith(".wasm"));
const value = (page, id) => page.$eval(`#${id}`, (element) => element.value);
const text = (page, selector) => page.$eval(selector, (element) => element.textContent);

/** What a visitor does, with what the page shows. */
async function visit(page) {
  // JSON to bytes, and its rows.
  await page.fill("#json", '{"id":5,"symbol":"USDJPY","side":1,"price":"1.10","quantity":3.5,"venue":null}');
  await page.waitForFunction(() => document.getElementById("rows").textContent.includes("USDJPY"), undefined, WAIT);
  const bytes = await value(page, "bytes");
  // Bytes to JSON: other bytes for the symbol.
  await page.fill("#bytes", bytes.replace(/55\s53\s44/, "47 42 50"));
  await page.waitForFunction(() => document.getElementById("json").value.includes("GBPJPY"), undefined, WAIT);
  // Pointing at a row lights its bytes, and pointing at a byte its row.
  await page.hover("#rows tr:has-text('side') .label");
  assert.equal(await page.locator("#grid .lit").count(), 1);
  await page.hover("#grid [data-at='9']");
  assert.equal(await page.locator("#rows tr.lit").count(), 1);
  // Damaged bytes.
  await page.fill("#bytes", bytes.slice(0, 60));
  await page.waitForFunction(() => document.getElementById("fault").textContent.startsWith("truncated"), undefined, WAIT);
  // A mistake, told as one types, and its mend.
  const schema = await value(page, "schema");
  await page.fill("#schema", schema.replace("decimal price", "decimel price"));
  await page.waitForSelector("#diagnostics li.error", WAIT);
  assert.match(await text(page, "#diagnostics"), /error fbe\/E\d+ 14:5.*decimal/s);
  await page.fill("#schema", schema);
  await page.waitForFunction(() => document.getElementById("state").textContent === "the schema is right", undefined, WAIT);
  // Layouts.
  await page.click("#tab-layout");
  assert.match(await text(page, "#layout-panel"), /market\.Trade.*quantity/s);
  // A breaking change.
  await page.click("#tab-changes");
  await page.click("#keep");
  await page.waitForFunction(() => document.getElementById("changes").textContent === "Nothing changed.", undefined, WAIT);
  await page.fill("#schema", schema.replace("double quantity", "float quantity"));
  await page.waitForSelector("#changes .witness mark", WAIT);
  assert.match(await text(page, "#changes"), /Broken: B, .*F, .*market\.Trade\.quantity/s);
  await page.fill("#schema", schema);
  // Code, whose compiler is loaded now.
  await page.click("#tab-code");
  await page.waitForSelector("#code details", WAIT);
  await page.selectOption("#language", "python");
  await page.waitForFunction(() => document.getElementById("code").textContent.includes("class Trade"), undefined, WAIT);
  await page.click("#tab-message");
}

test("from a server, under a strict policy", async () => {
  const page = await opened(site());
  assert.deepEqual(loaded(page), ["/aldis.wasm"], "what else there is, is loaded when it is wanted");
  await visit(page);
  assert.deepEqual(page.faults, []);
  assert.deepEqual(paths(page), ["/", "/aldis-languages.wasm", "/aldis.wasm", "/page.css", "/page.js"]);
  await page.close();
});

test("modules are as small as they should be", () => {
  for (const [name, most] of Object.entries(SIZES)) {
    const size = brotliCompressSync(readFileSync(new URL(`site/${name}`, built))).length;
    console.log(`  ${name}: ${Math.round(size / 1000)} kB packed by brotli`);
    assert.ok(size <= most, `${name}: ${size} of ${most}`);
  }
});

test("as one file from the disk, which asks for nothing", async () => {
  const url = new URL("index.html", built).href;
  const page = await opened(url);
  await visit(page);
  assert.deepEqual(page.faults, []);
  assert.deepEqual(page.asked.filter((asked) => !asked.startsWith("blob:")), [url]);
  await page.close();
});

test("other examples, base64, and a link that holds the page", async () => {
  const page = await opened(site());
  for (const [example, message] of [["Simple Binary Encoding", "market.Book"], ["Cap'n Proto", "Book"]]) {
    await page.selectOption("#examples", example);
    await page.waitForFunction((message) => document.getElementById("message").value === message && document.querySelectorAll("#rows tr").length > 3, message, WAIT);
    assert.equal(await text(page, "#fault"), "");
  }
  assert.deepEqual(loaded(page), ["/aldis-capnp.wasm", "/aldis.wasm"]);
  const plain = await value(page, "bytes");
  await page.selectOption("#form", "capnp-packed");
  await page.waitForFunction((plain) => document.getElementById("bytes").value !== plain, plain, WAIT);
  const packed = Buffer.from((await value(page, "bytes")).replace(/\s/g, ""), "hex").toString("base64");
  await page.fill("#json", "");
  await page.fill("#bytes", packed);
  await page.waitForFunction(() => document.getElementById("json").value.includes("sequence"), undefined, WAIT);
  await page.click("#share");
  await page.waitForFunction(() => location.hash.length > 100, undefined, WAIT);
  const other = await opened(page.url());
  for (const id of ["schema", "json", "form", "message"]) assert.equal(await value(other, id), await value(page, id), id);
  assert.deepEqual([...page.faults, ...other.faults], []);
  await Promise.all([page.close(), other.close()]);
});

test("bytes come from a file", async () => {
  const page = await opened(site());
  const bytes = Buffer.from((await value(page, "bytes")).replace(/\s/g, ""), "hex");
  const wanted = await value(page, "json");
  await page.fill("#bytes", "");
  await page.fill("#json", "");
  await page.setInputFiles("#open-bytes", { name: "message.bin", mimeType: "application/octet-stream", buffer: bytes });
  await page.waitForFunction((wanted) => document.getElementById("json").value === wanted, wanted, WAIT);
  assert.deepEqual(page.faults, []);
  await page.close();
});

test("several files may import each other", async () => {
  const page = await opened(site());
  const file = (name, text) => ({ name, mimeType: "text/plain", buffer: Buffer.from(text) });
  await page.setInputFiles("#open-schema", [
    file("desk.fbe", "package desk\nimport market\nstruct Fill(9) { market.Level level; uint32 size; }\n"),
    file("market.fbe", "package market\nstruct Level(4) { double price; }\n"),
  ]);
  await page.waitForFunction(() => document.getElementById("message").value === "desk.Fill", undefined, WAIT);
  assert.match(await text(page, "#rows"), /market\.Level/);
  await page.selectOption("#texts", "market.fbe");
  await page.waitForFunction(() => document.getElementById("message").value === "market.Level", undefined, WAIT);
  assert.equal(await value(page, "schema"), "package market\nstruct Level(4) { double price; }\n");
  await page.selectOption("#texts", "desk.fbe");
  await page.waitForFunction(() => document.getElementById("message").value === "desk.Fill", undefined, WAIT);
  assert.equal(await text(page, "#state"), "the schema is right");
  assert.deepEqual(page.faults, []);
  await page.close();
});

test("on a phone nothing is wider than the screen", async () => {
  const page = await opened(site(), { viewport: { width: 390, height: 800 }, colorScheme: "dark" });
  assert.ok((await page.evaluate(() => document.documentElement.scrollWidth)) <= 390);
  if (process.env.SCREENSHOTS) await page.screenshot({ path: `${process.env.SCREENSHOTS}/phone-dark.png`, fullPage: true });
  await page.close();
  if (process.env.SCREENSHOTS) {
    const wide = await opened(site());
    await wide.hover("#rows tr:has-text('price') .label");
    await wide.screenshot({ path: `${process.env.SCREENSHOTS}/wide.png` });
    await wide.close();
  }
});

test("no text of a schema or a message becomes markup", async () => {
  const page = await opened(site());
  await page.fill("#json", '{"id":5,"symbol":"<img src=x onerror=alert(1)>","side":1,"price":"1.10","quantity":3.5,"venue":"<b>v</b>"}');
  await page.waitForFunction(() => document.getElementById("rows").textContent.includes("onerror"), undefined, WAIT);
  assert.equal(await page.locator("#rows img, #rows b").count(), 0);
  assert.deepEqual(page.faults, []);
  await page.close();
});
