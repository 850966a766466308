// The page in a real browser. SCREENSHOT=file.png keeps a picture of it.
import { test, before, after } from "node:test";
import assert from "node:assert/strict";
import { chromium } from "playwright-core";
import { startServer } from "./server.js";
import { FLAGS } from "./scenarios.js";

let server;
let browser;
let page;
const errors = [];

before(async () => {
  server = await startServer();
  browser = await chromium.launch({ executablePath: process.env.CHROMIUM ?? "/usr/bin/chromium", args: FLAGS });
  page = await browser.newPage({ viewport: { width: 1000, height: 640 } });
  page.on("pageerror", (error) => errors.push(error.message));
  page.on("console", (message) => message.type() === "error" && errors.push(message.text()));
  await page.goto(`http://127.0.0.1:${server.port}/`);
});

after(async () => {
  await browser?.close();
  server.stop();
});

/** Runs the rainbow for 120 frames in a mode, however long they take, and gives what the page measured. */
async function rainbow(mode) {
  await page.click(`[data-mode=${mode}]`);
  await page.waitForFunction((mode) => globalThis.page.summary(mode).frames > 120, mode, { timeout: 60000 });
  return page.evaluate((mode) => globalThis.page.summary(mode), mode);
}

for (const [mode, kind] of [["json", "string"], ["down", "object"], ["both", "object"]]) {
  test(`${mode}: a rainbow, a counter, an upload, a reconnect`, async () => {
    const { frames, perSecond, bytes, ...figures } = await rainbow(mode);
    console.log(`${mode}: ${frames} frames, ${perSecond.toFixed(1)} a second, ${bytes.toFixed(0)} bytes, decode ${figures.median.toFixed(0)} µs`);
    assert.equal(figures.kind, kind);
    await page.waitForFunction((mode) => globalThis.page.summary(mode).served > 0 && globalThis.page.summary(mode).cpu > 0, mode);
    console.log(`${mode}: ${(await page.evaluate((mode) => globalThis.page.summary(mode).cpu, mode)).toFixed(0)} µs of the server's processor a frame`);

    const clicked = Number(await page.textContent("#clicks"));
    await page.click("#count");
    await page.waitForFunction((n) => document.getElementById("clicks").textContent === String(n), clicked + 1);

    assert.equal((await page.evaluate(() => globalThis.page.upload(150000))).size, 150000);

    const before = await page.evaluate((mode) => globalThis.page.summary(mode).frames, mode);
    await page.evaluate(() => globalThis.page.drop());
    await page.waitForFunction(([mode, n]) => globalThis.page.summary(mode).frames > n + 20, [mode, before + 20]);
  });
}

test("the page shows all figures, nothing went wrong", async () => {
  assert.equal(await page.locator("#figures tr").count(), 3);
  if (process.env.SCREENSHOT) await page.screenshot({ path: process.env.SCREENSHOT });
  assert.deepEqual(errors, []);
});
