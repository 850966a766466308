// A message of this schema's writers is read without the tables; a message of another version is too, and a damaged one is not.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { defaultLimits } from "@aldis/codec";
import { Routine } from "@aldis/codec/walk";
import { decodeOrderBook, decodeTrade, encodeOrderBook, newOrderBook, verifyOrderBook } from "./market.js";

let walked = 0;
const run = Routine.prototype.run;
Routine.prototype.run = function (...args) {
  walked++;
  return run.apply(this, args);
};

const bytes = Uint8Array.from(readFileSync(new URL("book.bin", import.meta.url)));
decodeOrderBook(bytes);
const trade = new Uint8Array(8 + 53);
const head = new DataView(trade.buffer);
[53, 1, 71, 2].forEach((register, i) => head.setUint16(2 * i, register, true));
assert.equal(decodeTrade(trade).venue, "");
assert.equal(walked, 0);

// The first version had no venue.
head.setUint16(0, 50, true);
head.setUint16(6, 0, true);
assert.equal(decodeTrade(trade.subarray(0, 58)).venue, null);
assert.equal(walked, 0);

assert.throws(() => decodeTrade(trade.subarray(0, 57)), { code: "truncated", offset: 50, path: ["sellOrder"] });
assert.ok(walked > 0);

// A limit with fewer levels than the type may have is enough for a message that has fewer, too; its table says so.
const empty = encodeOrderBook(newOrderBook());
assert.deepEqual(decodeOrderBook(empty, { ...defaultLimits, depth: 1 }), newOrderBook());
assert.equal(verifyOrderBook(empty, { ...defaultLimits, depth: 1 }), empty.length);
for (const read of [decodeOrderBook, verifyOrderBook]) {
  assert.throws(() => read(empty, { ...defaultLimits, depth: 0 }), { code: "too-deep", offset: 8 });
}
