// Integers of 64 bits as numbers (`int64=safe`, `int64=number`): both ways, in JSON, where they are null, and beyond what numbers tell apart.
import assert from "node:assert/strict";
import { decodeQuote, decodeTrade, encodeQuote, encodeTrade, newQuote, newTrade, verifyTrade } from "./market.js";
import { tradeFromJson, tradeToJson } from "./market_json.js";
import { viewTrade } from "./market_view.js";

const isSafe = process.argv[2] === "safe";
const LAST = Number.MAX_SAFE_INTEGER;

const trade = newTrade({ sequence: LAST, price: { mantissa: -LAST, exponent: -8 }, buyOrder: 2 ** 32, sellOrder: 5n });
assert.equal(newTrade().sequence, 0);
const bytes = encodeTrade(trade);
const at = new DataView(bytes.buffer, bytes.byteOffset + 8);
assert.equal(at.getBigUint64(0, true), BigInt(LAST));
assert.equal(at.getBigInt64(20, true), -BigInt(LAST));
assert.equal(at.getBigUint64(34, true), 2n ** 32n);
for (const back of [decodeTrade(bytes), viewTrade(bytes), tradeFromJson(tradeToJson(trade))]) {
  assert.deepEqual([back.sequence, back.price.mantissa, back.buyOrder, back.sellOrder], [LAST, -LAST, 2 ** 32, 5]);
}

// A stored null, and its neighbour.
assert.equal(decodeQuote(encodeQuote(newQuote())).bid.mantissa, null);
const quote = encodeQuote(newQuote({ bid: { mantissa: -5 } }));
assert.equal(decodeQuote(quote).bid.mantissa, -5);

// Numbers that are none of 64 bits.
for (const sequence of [-1, 2 ** 64, 2n ** 64n]) assert.throws(() => encodeTrade({ ...trade, sequence }), { code: "out-of-range", path: ["sequence"] });
for (const sequence of [0.5, NaN, Infinity, "7", null]) assert.throws(() => encodeTrade({ ...trade, sequence }), { code: "bad-value", path: ["sequence"] });

// Beyond 2^53 - 1, in every version and where the message is short.
at.setBigUint64(0, 2n ** 53n + 1n, true);
if (isSafe) {
  const fault = { code: "out-of-range", offset: 8, path: ["sequence"] };
  for (const read of [decodeTrade, verifyTrade, viewTrade]) assert.throws(() => read(bytes), fault);
  for (const big of [2n ** 53n, 2n ** 64n - 1n]) {
    at.setBigUint64(0, big, true);
    assert.throws(() => decodeTrade(bytes), fault);
  }
  for (const price of [-(2n ** 53n), -(2n ** 63n), 2n ** 53n]) {
    at.setBigUint64(0, 1n, true);
    at.setBigInt64(20, price, true);
    assert.throws(() => decodeTrade(bytes), { code: "out-of-range", offset: 28, path: ["price", "mantissa"] });
  }
  assert.throws(() => encodeTrade({ ...trade, sequence: 2 ** 53 }), { code: "out-of-range" });
  assert.throws(() => tradeFromJson('{"sequence":9007199254740993}'), { code: "out-of-range" });
} else {
  assert.equal(decodeTrade(bytes).sequence, 2 ** 53);
  at.setBigInt64(20, -(2n ** 63n), true);
  assert.equal(decodeTrade(bytes).price.mantissa, -(2 ** 63));
  assert.equal(decodeTrade(encodeTrade({ ...trade, sequence: 2 ** 63 })).sequence, 2 ** 63);
}
