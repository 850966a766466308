// The book that `make book` built, in Chromium: what a reader types into its search is found, and no page is wider than a phone's screen.
// SCREENSHOTS=folder keeps pictures, light and dark.
import assert from "node:assert/strict";
import { existsSync } from "node:fs";
import { after, before, test } from "node:test";
import { chromium } from "playwright-core";

const FLAGS = ["--no-sandbox", "--disable-gpu", "--no-first-run", "--disable-background-networking", "--disable-component-update", "--disable-sync"];
const built = new URL("../../target/book/", import.meta.url);
const WAIT = { timeout: 60_000 };
const skip = existsSync(new URL("index.html", built)) ? false : "make book was not run";

let browser;

before(async () => {
  if (!skip) browser = await chromium.launch({ executablePath: process.env.CHROMIUM ?? "/usr/bin/chromium", args: FLAGS });
});

after(async () => {
  await browser?.close();
});

/** A page of the book, and what went wrong on it. */
async function opened(name, options = {}) {
  const page = await browser.newPage({ viewport: { width: 1280, height: 900 }, ...options });
  page.faults = [];
  page.on("pageerror", (error) => page.faults.push(error.message));
  await page.goto(new URL(name, built).href);
  return page;
}

async function pictured(page, name) {
  if (process.env.SCREENSHOTS) await page.screenshot({ path: `${process.env.SCREENSHOTS}/${name}.png` });
}

test("what is typed into the search is found", { skip }, async () => {
  const page = await opened("index.html");
  for (const [words, wanted] of [["fbec sender", "book/from/fbec.html"], ["prometheus alerts", "book/transport.html"], ["fbe/E0027", "CODES.html#fbee0027"], ["E0027", "CODES.html#fbee0027"], ["erlcapnp", "from-erlcapnp.html"]]) {
    if (!(await page.isVisible("#searchbar"))) await page.click("#search-toggle");
    await page.waitForSelector("#searchbar", { state: "visible", ...WAIT });
    await page.fill("#searchbar", "");
    await page.locator("#searchbar").pressSequentially(words);
    await page.waitForFunction((wanted) => [...document.querySelectorAll("#searchresults a")].some((link) => link.href.replace(/\?[^#]*/, "").includes(wanted)), wanted, WAIT);
  }
  await pictured(page, "book-search");
  const link = page.locator("#searchresults a", { hasText: /erlcapnp/i }).first();
  await link.click();
  await page.waitForURL(/from-erlcapnp/, WAIT);
  assert.match(await page.textContent("main"), /Coming from erlcapnp/);
  assert.deepEqual(page.faults, []);
  await page.close();
});

test("no page is wider than a phone, in the light and in the dark", { skip }, async () => {
  for (const colorScheme of ["light", "dark"]) {
    for (const name of ["index.html", "book/start/erlang.html", "book/operations.html", "book/figures.html"]) {
      const page = await opened(name, { viewport: { width: 390, height: 800 }, colorScheme });
      assert.ok((await page.evaluate(() => document.documentElement.scrollWidth)) <= 390, `${name}, ${colorScheme}`);
      const dark = await page.evaluate(() => getComputedStyle(document.documentElement).backgroundColor.match(/\d+/g).slice(0, 3).every((part) => part < 128));
      assert.equal(dark, colorScheme === "dark", name);
      assert.deepEqual(page.faults, []);
      await pictured(page, `book-${colorScheme}-${name.replaceAll("/", "-")}`);
      await page.close();
    }
  }
  const wide = await opened("book/figures.html");
  await pictured(wide, "book-wide-figures");
  await wide.close();
});
