// LiveView's own client in a real browser: it mounts, clicks, gets events and keyed rows, in JSON and in terms alike.
import { test, before, after } from "node:test";
import assert from "node:assert/strict";
import { chromium } from "playwright-core";
import { startServer } from "./server.js";
import { FLAGS } from "./scenarios.js";

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

for (const [mode, kind] of [["json", "string"], ["down", "object"], ["both", "object"]]) {
  test(`LiveView by ${mode}: mount, click, event, title, keyed rows`, async () => {
    const errors = [];
    const page = await browser.newPage();
    page.on("pageerror", (error) => errors.push(error.message));
    page.on("console", (message) => ["error", "warning"].includes(message.type()) && errors.push(message.text()));
    await page.goto(`http://127.0.0.1:${server.port}/live?mode=${mode}`);
    const rows = () => page.locator("#rows li").allTextContents();

    await page.waitForSelector("#phx-test.phx-connected");
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
