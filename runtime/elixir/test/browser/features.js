// The features of a LiveView page, as steps of a person who uses it. Any page that has these elements can be tried: that of the
// stand-in for Phoenix, and that of examples/liveview_rainbow where Phoenix is.
import assert from "node:assert/strict";
import { bytes, crc32 } from "./scenarios.js";

/** A page and what to do with it: `text` waits for an element's text, `another` opens the same address once more. */
export function user(page, another) {
  const text = (selector, expected) =>
    page.waitForFunction(([selector, expected]) => document.querySelector(selector)?.textContent.trim() === expected, [selector, expected]);
  const count = async () => Number(await page.textContent("#here"));
  return { page, text, count, another };
}

/** By name; a reconnect is last, since it begins the page anew. */
export const FEATURES = {
  join: ({ page }) => page.waitForSelector("[data-phx-main].phx-connected"),

  "nested view": ({ text }) => text("#inner", "child 0"),

  async form({ page, text }) {
    await page.fill("#name", "grün & 東京");
    await text("#echo", "grün & 東京");
  },

  async upload({ page, text }) {
    const data = bytes(150_000);
    await page.setInputFiles("#files input[type=file]", { name: "file.bin", mimeType: "application/octet-stream", buffer: Buffer.from(data) });
    await text("#sent", `${data.byteLength} ${crc32(data)}`);
  },

  async stream({ page }) {
    const items = (expected) =>
      page.waitForFunction((expected) => [...document.querySelectorAll("#items li")].map((item) => item.textContent.trim()).join() === expected, expected);
    await items("item 1,item 2");
    await page.click("#append");
    await items("item 1,item 2,item 3");
    await page.click("#remove");
    await items("item 2,item 3");
  },

  async "broadcast and presence"({ text, count, another }) {
    const before = await count();
    const other = await another();
    await other.text("#here", String(before + 1));
    await text("#here", String(before + 1));
    await other.page.click("#shout");
    await Promise.all([text("#heard", "grün"), other.text("#heard", "grün")]);
    await other.page.close();
    // A polling client is gone only when nobody asks for a while.
    if (!other.polls) await text("#here", String(before));
  },

  async navigation({ page }) {
    await page.click("#go");
    await page.waitForURL(/there=/);
  },

  async reconnect({ page, text, polls }) {
    if (!polls) {
      // The page looks itself: a reconnect is quick.
      await page.evaluate(() => new Promise((resolve) => {
        const view = document.querySelector("[data-phx-main]");
        const observer = new MutationObserver(() => {
          if (view.classList.contains("phx-connected")) return;
          observer.disconnect();
          resolve();
        });
        observer.observe(view, { attributeFilter: ["class"] });
        globalThis.liveSocket.socket.conn.close();
      }));
    }
    await page.waitForSelector("[data-phx-main].phx-connected");
    await text("#inner", "child 0");
    assert.equal(await page.textContent("#heard"), polls ? "grün" : "");
  },
};

/** Tries all of them, in order; an error says which one it was. */
export async function useAll(someone) {
  for (const [name, use] of Object.entries(FEATURES)) {
    try {
      await use(someone);
    } catch (error) {
      error.message = `${name}: ${error.message}`;
      throw error;
    }
  }
}
