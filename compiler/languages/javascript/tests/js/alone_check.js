// Every message has memory of its own (`slab=off`), whatever the others are.
import assert from "node:assert/strict";
import { decode, encode, encodeAccount, encodeTrade, newAccount, newTrade } from "./market.js";

const alone = (bytes) => bytes.byteOffset === 0 && bytes.buffer.byteLength === bytes.length;
const trade = newTrade({ sequence: 7n, instrument: 5, venue: "X" });
const bytes = encodeTrade(trade);
for (const message of [bytes, encode({ message: "market.Trade", value: trade }), encodeAccount(newAccount({ signature: new Uint8Array(9000) }))]) {
  assert.ok(alone(message), `${message.length} bytes in ${message.buffer.byteLength}`);
}
assert.deepEqual(encodeTrade(trade), bytes);
const moved = structuredClone(bytes, { transfer: [bytes.buffer] });
assert.deepEqual(decode(moved), { message: "market.Trade", value: trade });
assert.deepEqual(encodeTrade(trade), moved);
assert.throws(() => encode({ message: "market.Nothing", value: trade }), { code: "unknown-message" });
