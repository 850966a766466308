// The features of a page, with Phoenix itself: `run.sh` has got it.
import { test, before, after } from "node:test";
import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { createRequire } from "node:module";
import { fileURLToPath } from "node:url";
import { useAll, user } from "../../../runtime/elixir/test/browser/features.js";
import { FLAGS } from "../../../runtime/elixir/test/browser/scenarios.js";

const { chromium } = createRequire(new URL("../../../runtime/elixir/test/browser/package.json", import.meta.url))("playwright-core");
const PORT = process.env.PORT ?? "4123";
const ADDRESS = `http://127.0.0.1:${PORT}`;
let server;
let browser;

before(async () => {
  server = spawn("mix", ["run", "--no-halt"], { cwd: fileURLToPath(new URL("..", import.meta.url)), env: { ...process.env, PORT }, stdio: ["ignore", "inherit", "inherit"] });
  for (let tries = 0; ; tries++) {
    if (server.exitCode !== null || tries === 600) throw new Error("the example did not start");
    if (await fetch(ADDRESS).then(({ ok }) => ok, () => false)) break;
    await new Promise((done) => setTimeout(done, 100));
  }
  browser = await chromium.launch({ executablePath: process.env.CHROMIUM ?? "/usr/bin/chromium", args: FLAGS });
});

after(async () => {
  await browser?.close();
  server.kill();
});

async function open(wire) {
  const errors = [];
  const page = await browser.newPage();
  page.setDefaultTimeout(10000);
  page.on("pageerror", (error) => errors.push(error.message));
  await page.goto(`${ADDRESS}/features?wire=${wire}`);
  await page.waitForSelector("[data-phx-main].phx-connected");
  return { ...user(page, () => open(wire)), errors, polls: wire === "polled" };
}

// A client that polls is counted for a while after it has gone, so its test is the last.
for (const wire of ["json", "etf", "polled"]) {
  test(`Phoenix by ${wire}: every feature of a page`, async () => {
    const someone = await open(wire);
    await useAll(someone);
    assert.deepEqual(someone.errors, []);
    await someone.page.close();
  });
}
