// LiveView's own client in a real browser: it mounts, clicks, gets events and keyed rows, in JSON and in terms alike.
import { test, before, after } from "node:test";
import assert from "node:assert/strict";
import { chromium } from "playwright-core";
import { startServer } from "./server.js";
import { useAll, user } from "./features.js";
import { crc32, FLAGS } from "./scenarios.js";

let server;
let browser;

before(async () => {
  server = await startServer();
  browser = await chromium.launch({ executablePath: process.env.CHROMIUM ?? "/usr/bin/chromium", args: FLAGS });
});

after(async () => {
  await browser?.close();
  server.stop();
});

/** A page of LiveView in a mode, and what went wrong in it. */
async function open(path, mode) {
  const errors = [];
  const page = await browser.newPage();
  page.setDefaultTimeout(10000);
  page.on("pageerror", (error) => errors.push(error.message));
  page.on("console", (message) => ["error", "warning"].includes(message.type()) && errors.push(message.text()));
  await page.goto(`http://127.0.0.1:${server.port}${path}?mode=${mode}`);
  await page.waitForSelector("#phx-test.phx-connected");
  const someone = { ...user(page, () => open(path, mode)), polls: mode === "polled" };
  return { ...someone, errors };
}

const KINDS = [["json", "string"], ["down", "object"], ["both", "object"], ["auto", "object"], ["polled", "string"]];

for (const [mode] of KINDS) {
  test(`LiveView by ${mode}: every feature of a page`, async () => {
    const someone = await open("/features", mode);
    await useAll(someone);
    assert.deepEqual(someone.errors, []);
    await someone.page.close();
  });

  test(`LiveView by ${mode}: bytes in events`, async () => {
    const { page, errors, text } = await open("/features", mode);
    await page.click("#paint");
    await page.waitForFunction(() => document.body.dataset.pixels);
    const pixels = await page.evaluate(() => document.body.dataset.pixels);
    assert.equal(pixels, mode === "json" ? "String AP+D" : "Uint8Array 0,255,131");
    // CRC-32 of the bytes 0, 255, 131, as the page sent them back.
    await text("#painted", mode === "json" || mode === "down" ? "paint" : `picture 3 ${crc32(Uint8Array.of(0, 255, 131).buffer)}`);
    assert.deepEqual(errors, []);
    await page.close();
  });
}

for (const [mode, kind] of KINDS) {
  test(`LiveView by ${mode}: mount, click, event, title, keyed rows`, async () => {
    const { page, errors } = await open("/live", mode);
    const rows = () => page.locator("#rows li").allTextContents();
    assert.equal(await page.textContent("#add"), "added 0");
    assert.deepEqual(await rows(), ["a", "b"]);

    await page.click("#add");
    await page.waitForFunction(() => document.getElementById("add").textContent === "added 2");
    await page.waitForFunction(() => document.body.dataset.added);
    assert.deepEqual(JSON.parse(await page.evaluate(() => document.body.dataset.added)), { on: "2024-02-29" });
    await page.waitForFunction(() => document.title === "by 2");

    // One row moved with a change, one moved, one new: numbers, lists and maps under integer keys.
    await page.click("#grow");
    await page.waitForFunction(() => document.querySelectorAll("#rows li").length === 3);
    assert.deepEqual(await rows(), ["B", "a", "grün"]);

    assert.deepEqual(await page.evaluate(() => globalThis.page.kinds()), [kind]);
    assert.deepEqual(errors, []);
    await page.close();
  });
}
