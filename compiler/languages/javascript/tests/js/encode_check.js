// Values are encoded, or refused with a code and a path; a refused value leaves nothing behind.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { CodecError } from "@aldis/codec";
import { decode, decodeOrderBook, encode, encodeOrderBook, encodeOrderBookInto, encodeTrade, newOrderBook, newTrade } from "./market.js";

const bytes = Uint8Array.from(readFileSync(new URL("book.bin", import.meta.url)));
const book = decodeOrderBook(bytes);
assert.deepEqual(encodeOrderBook(book), bytes);
assert.deepEqual(encode(decode(bytes)), bytes);
assert.deepEqual(encode({ message: "market.Trade", value: newTrade() }), encodeTrade(newTrade()));
assert.throws(() => encode({ message: "toString", value: book }), { code: "unknown-message", offset: null });

const target = new Uint8Array(bytes.length + 10).fill(7);
assert.equal(encodeOrderBookInto(book, target, 4), bytes.length + 4);
assert.deepEqual(target.subarray(4, bytes.length + 4), bytes);
assert.deepEqual([target[3], target[bytes.length + 4]], [7, 7]);
assert.throws(() => encodeOrderBookInto(book, target, 11), RangeError);
assert.throws(() => encodeOrderBookInto(book, target, -1), RangeError);
assert.throws(() => encodeOrderBookInto(book, []), TypeError);

const bid = { price: { mantissa: 5n, exponent: -8 }, size: 3, orders: [] };
const full = newOrderBook({ sequence: 7n, symbol: "ACME", bids: [bid, structuredClone(bid)] });
const changed = (change) => {
  const copy = structuredClone(full);
  change(copy);
  return () => encodeOrderBook(copy);
};
const plain = encodeOrderBook(full);
const faults = [
  [(b) => (b.sequence = 7), null],
  [(b) => (b.sequence = -1n), "out-of-range in sequence"],
  [(b) => (b.sequence = "7"), "bad-value in sequence"],
  [(b) => (b.instrument = 1.5), "bad-value in instrument"],
  [(b) => (b.instrument = 2 ** 32), "out-of-range in instrument"],
  [(b) => (b.symbol = "0123456789".repeat(20)), "out-of-range in symbol"],
  [(b) => (b.bids = null), "bad-value in bids"],
  [(b) => (b.bids[1] = undefined), "bad-value in bids[1]"],
  [(b) => (b.bids[1].price = 5), "bad-value in bids[1].price"],
  [(b) => (b.bids[1].size = "3"), "bad-value in bids[1].size"],
  [(b) => delete b.bids[0].size, "bad-value in bids[0].size"],
];
for (const [change, message] of faults) {
  if (message === null) assert.deepEqual(changed(change)(), plain);
  else {
    assert.throws(changed(change), (error) => {
      assert.ok(error instanceof CodecError, error.stack);
      assert.equal(error.message.split(":")[0], message);
      return error.offset === null;
    });
  }
  assert.deepEqual(encodeOrderBook(full), plain);
}

// A getter may encode while its value is being encoded, and throw what it likes.
const nested = { ...full, get bids() { return decodeOrderBook(encodeOrderBook(full)).bids; } };
assert.deepEqual(encodeOrderBook(nested), plain);
const bad = { ...full, get asks() { throw new Error("mine"); } };
assert.throws(() => encodeOrderBook(bad), /^Error: mine$/);

// The language's own errors become faults with the path of the value, whoever throws them; a proxy may have any length.
const thrown = (error) => ({ ...full, get asks() { throw error; } });
const lengths = [-1, 1.5, NaN, 2 ** 32, 2 ** 53, "x"].map((length) => ({ ...full, bids: new Proxy([], { get: (_, key) => (key === "length" ? length : undefined) }) }));
const revoked = Proxy.revocable([], {});
revoked.revoke();
const endless = { ...full, get bids() { return endless.bids; } };
const odd = [
  thrown(new RangeError("mine")), thrown(new TypeError("mine")), ...lengths, endless,
  { ...full, bids: [revoked.proxy] }, { ...full, bids: revoked.proxy }, { ...full, bids: new Proxy([], { get: (_, key) => key.at(99).x }) },
];
for (const value of odd) {
  assert.throws(() => encodeOrderBook(value), (error) => error instanceof CodecError && ["bad-value", "out-of-range"].includes(error.code), String(odd.indexOf(value)));
  assert.deepEqual(encodeOrderBook(full), plain);
}
for (const any of [null, undefined, 7]) assert.throws(() => encode(any), { name: "CodecError", code: "bad-value" });
assert.deepEqual(encodeOrderBook(full), plain);

// Messages that outgrow their memory, and many small ones side by side.
const orders = Array.from({ length: 200 }, (_, i) => ({ id: BigInt(i), size: i }));
const large = { ...full, bids: Array.from({ length: 200 }, () => ({ ...bid, orders })) };
assert.deepEqual(decodeOrderBook(encodeOrderBook(large)), large);
const many = Array.from({ length: 3000 }, (_, i) => encodeOrderBook({ ...full, sequence: BigInt(i) }));
many.forEach((message, i) => assert.equal(decodeOrderBook(message).sequence, BigInt(i)));
