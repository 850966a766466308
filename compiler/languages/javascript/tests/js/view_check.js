// Views read what decoding reads, each field by itself and in any order, wherever the bytes are; and refuse what decoding refuses.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { CodecError, defaultLimits } from "@aldis/codec";
import { decodeOrderBook, decodeTrade, encodeOrderBook, encodeTrade, newTrade } from "./market.js";
import { orderBookToJson } from "./market_json.js";
import { viewOrderBook, viewTrade } from "./market_view.js";

const bytes = Uint8Array.from(readFileSync(new URL("book.bin", import.meta.url)));
const book = decodeOrderBook(bytes);
const trade = newTrade({ sequence: 7n, venue: "ÄX", conditions: 3 });
const isRecord = (value) => value?.constructor === Object;
const plain = (view, of) => (Array.isArray(of) && of.some(isRecord) ? view.map((item, i) => plain(item, of[i])) : isRecord(of) ? fields(view, of) : view);
const fields = (view, of) => Object.fromEntries(Object.keys(of).map((name) => [name, plain(view[name], of[name])]));

// It is no value that was decoded: its class has a getter for each field.
const view = viewOrderBook(bytes);
assert.deepEqual(Object.keys(view).filter((name) => !name.startsWith("$")), []);
assert.deepEqual(fields(view, book), book);
assert.equal(orderBookToJson(view), orderBookToJson(book));
assert.deepEqual(encodeOrderBook(view), bytes);

// Each record of a list is a view too: its fields are read when they are asked for, so it sees what the bytes are then.
const changing = bytes.slice();
const bids = viewOrderBook(changing).bids;
assert.ok(Array.isArray(bids) && bids.length === book.bids.length && bids.length > 1);
assert.ok(bids.every((bid) => Object.keys(bid).every((name) => name.startsWith("$"))));
assert.deepEqual([...bids].map((bid) => bid.size), book.bids.map((bid) => bid.size));
const last = bids.at(-1);
const seen = last.size;
const from = new DataView(changing.buffer);
const marks = [...changing.keys()].filter((at) => at + 4 <= changing.length && from.getUint32(at, true) === seen);
marks.forEach((at) => from.setUint32(at, 4711, true));
assert.equal(last.size, 4711);
assert.throws(() => { last.size = 1; }, TypeError);

// Others are read and written between two fields, in other memory.
const other = viewTrade(encodeTrade(trade));
assert.equal(view.sequence, book.sequence);
assert.equal(other.venue, "ÄX");
decodeTrade(encodeTrade(newTrade()));
assert.deepEqual(plain(view.asks, book.asks), book.asks);
assert.equal(other.sequence, 7n);
assert.deepEqual(fields(other, trade), { ...trade });

// Bytes behind others in a buffer; in memory that others may change, of which the view has a copy.
const longer = new Uint8Array(bytes.length + 300).fill(0xff);
longer.set(bytes, 100);
assert.deepEqual(fields(viewOrderBook(longer.subarray(100)), book), book);
const shared = new Uint8Array(new SharedArrayBuffer(bytes.length));
shared.set(bytes);
const copied = viewOrderBook(shared);
shared.fill(0);
assert.deepEqual(fields(copied, book), book);

// An older message ends before its newest field.
const older = Uint8Array.from(encodeTrade(trade));
new DataView(older.buffer).setUint16(6, 1, true);
assert.deepEqual(fields(viewTrade(older), trade), { ...decodeTrade(older) });
assert.equal(viewTrade(older).venue, null);

const fault = (run) => {
  try {
    return [run(), undefined];
  } catch (error) {
    assert.ok(error instanceof CodecError, error);
    return [undefined, `${error.code} ${error.offset} ${error.path}`];
  }
};
let refused = 0;
for (let i = 0; i < 3000; i++) {
  const damaged = bytes.slice(0, i % 3 === 0 ? (i * 7) % bytes.length : bytes.length);
  for (let j = 0; j < 1 + (i % 3); j++) if (damaged.length > 0) damaged[(i * 31 + j * 17) % damaged.length] ^= 1 << (i + j) % 8;
  const [value, wrong] = fault(() => decodeOrderBook(damaged));
  const [viewed, same] = fault(() => fields(viewOrderBook(damaged), book));
  assert.equal(same, wrong);
  assert.deepEqual(viewed, value === undefined ? undefined : { ...value });
  refused += Number(wrong !== undefined);
}
assert.ok(refused > 500 && refused < 3000, `${refused} of 3000`);
assert.throws(() => viewOrderBook(bytes, { ...defaultLimits, depth: 1 }), { code: "too-deep" });
