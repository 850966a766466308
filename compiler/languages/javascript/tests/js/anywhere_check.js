// A message that lies in a pooled buffer, behind other bytes, in shared memory; and all that can be cut from it.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { CodecError, referenceLimits } from "@aldis/codec";
import { decode, decodeOrderBook, decodeOrderBookAt, identify } from "./market.js";
import { orderBookToJson } from "./market_json.js";

const bytes = Uint8Array.from(readFileSync(new URL("book.bin", import.meta.url)));
const book = decodeOrderBook(bytes);
assert.deepEqual(decodeOrderBook(bytes, referenceLimits), book);
assert.equal(identify(bytes), "market.OrderBook");
assert.deepEqual(decode(bytes), { message: "market.OrderBook", value: book });
assert.equal(typeof orderBookToJson(book), "string");
assert.deepEqual(Object.keys(book), ["sequence", "time", "instrument", "symbol", "volatility", "bids", "asks"]);

const longer = new Uint8Array(bytes.length + 300);
longer.set(bytes, 100);
assert.deepEqual(decodeOrderBookAt(longer, 100), [book, 100 + bytes.length]);
assert.deepEqual(decodeOrderBookAt(longer.subarray(60), 40), [book, 40 + bytes.length]);
assert.deepEqual(decodeOrderBook(Buffer.from(bytes)), book);
const shared = new Uint8Array(new SharedArrayBuffer(bytes.length));
shared.set(bytes);
assert.deepEqual(decodeOrderBook(shared), book);

for (let size = 0; size < bytes.length; size++) {
  assert.throws(() => decodeOrderBook(bytes.subarray(0, size)), (error) => {
    assert.ok(error instanceof CodecError);
    assert.ok(["truncated", "bad-count"].includes(error.code), error.message);
    assert.ok(error.offset <= size);
    assert.match(error.message, new RegExp(`^${error.code} at byte ${error.offset}`));
    return true;
  });
}

const cut = longer.subarray(0, 100 + bytes.length - 1);
assert.throws(() => decodeOrderBookAt(cut, 100), (error) => error.offset >= 100);
assert.throws(() => decodeOrderBook("text"), TypeError);
assert.throws(() => decodeOrderBookAt(bytes, -1), RangeError);
assert.throws(() => decodeOrderBookAt(bytes, bytes.length + 1), RangeError);
assert.throws(() => decodeOrderBook(bytes, { ...referenceLimits, depth: 1 }), { code: "too-deep" });
assert.throws(() => decodeOrderBook(bytes, { ...referenceLimits, budgetBase: 60 }), { code: "too-large" });
