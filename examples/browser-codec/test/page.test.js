// The page in a real browser, and the codecs there. SCREENSHOT=file.png keeps a picture of the page.
import assert from "node:assert/strict";
import { readFileSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { after, before, test } from "node:test";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";
import { chromium } from "playwright-core";
import { serve } from "../serve.js";
import { FrameReceiver } from "@aldis/codec/stream";
import { run } from "./suite.js";

const FLAGS = ["--no-sandbox", "--disable-gpu", "--no-first-run", "--disable-background-networking", "--disable-component-update", "--disable-sync"];

const folder = new URL("../", import.meta.url);
const vectors = new URL("../../conformance/vectors/fbe/", folder);
const feed = readFileSync(new URL("generated/feed", folder));

let server;
let browser;
let page;
const errors = [];

before(async () => {
  await build({ entryPoints: [fileURLToPath(new URL("test/suite.js", folder))], bundle: true, format: "esm", outfile: fileURLToPath(new URL("bundle/suite.js", folder)) });
  server = await serve(0);
  browser = await chromium.launch({ executablePath: process.env.CHROMIUM ?? "/usr/bin/chromium", args: FLAGS });
  page = await browser.newPage({ viewport: { width: 900, height: 640 } });
  page.on("pageerror", (error) => errors.push(error.message));
  page.on("console", (message) => message.type() === "error" && errors.push(message.text()));
});

after(async () => {
  await browser?.close();
  server?.close();
});

const open = (query = "") => page.goto(`http://127.0.0.1:${server.address().port}/${query}`);
const counts = () => page.$$eval("#counts td:last-child", (cells) => cells.map((cell) => Number(cell.textContent)));

test("the page reads a feed as it comes, under a strict policy", async () => {
  const response = await open();
  assert.match(response.headers()["content-security-policy"], /script-src 'self'(?:;|$)/);
  await page.waitForFunction(() => document.getElementById("state").textContent === "the feed is over");
  assert.equal((await counts()).reduce((sum, count) => sum + count, 0), 1000);
  assert.equal(await page.locator("#trades tr").count(), 5);
  if (process.env.SCREENSHOT) await page.screenshot({ path: process.env.SCREENSHOT });
});

test("a damaged feed is told, with what was before", async () => {
  const damaged = Buffer.from(feed);
  damaged.writeUInt32LE(0xffffffff, 4 + damaged.readUInt32LE(0));
  const path = new URL("bundle/damaged", folder);
  writeFileSync(path, damaged);
  try {
    await open("?feed=bundle/damaged");
    await page.waitForFunction(() => document.getElementById("state").textContent.startsWith("a damaged feed: frame-too-large"));
    assert.deepEqual(await counts(), [1]);
  } finally {
    rmSync(path);
  }
});

test("codecs say of whole and damaged messages what they say in Node", async () => {
  const messages = readdirSync(vectors).flatMap((file) => {
    const [, form] = /^proto_(?:account|balance).*\.(std|final)\.bin$/.exec(file) ?? [];
    const bytes = readFileSync(new URL(file, vectors));
    return form === undefined || bytes.length > 5000 ? [] : [[form === "std" ? "proto" : "final", [...bytes]]];
  });
  new FrameReceiver("u32le").feed(feed, (bytes) => messages.length < 80 && messages.push(["market", [...bytes]]));
  assert.ok(messages.length === 80);
  await open();
  await page.addScriptTag({ url: "bundle/suite.js", type: "module" });
  await page.waitForFunction(() => globalThis.suite !== undefined);
  const there = await page.evaluate((messages) => globalThis.suite(messages, 200), messages);
  assert.deepEqual(there, run(messages, 200));
  assert.ok(there.some(([text]) => text.startsWith("proto.AccountMessage")));
});

test("nothing went wrong", () => {
  assert.deepEqual(errors, []);
});
