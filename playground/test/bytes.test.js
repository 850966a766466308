import assert from "node:assert/strict";
import { test } from "node:test";
import { fromUrl, spaced, toHex, toUrl } from "../page/bytes.js";

test("bytes are read as hex or as base64", () => {
  const cases = [
    ["", ""],
    ["00ff", "00ff"],
    ["0x00, 0xFF", "00ff"],
    ["00 ff\n10", "00ff10"],
    ["AP8=", "00ff"],
    ["_w", "ff"],
    ["0", undefined],
    ["not bytes!", undefined],
  ];
  for (const [given, wanted] of cases) assert.equal(toHex(given), wanted, given);
});

test("digits stand in pairs, sixteen in a line", () => {
  assert.equal(spaced("00".repeat(17)), `${"00 ".repeat(15)}00\n00`);
  assert.equal(spaced(""), "");
});

test("a state comes back from a URL", async () => {
  const state = { name: "a.fbe", text: "package é\n", bytes: "00ff" };
  const text = await toUrl(state);
  assert.match(text, /^[\w-]+$/);
  assert.deepEqual(await fromUrl(text), state);
  await assert.rejects(fromUrl("AAAA"));
});
