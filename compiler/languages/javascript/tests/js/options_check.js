// Enums as numbers, and bytes in the message's own memory (`enums=numbers`, `bytes=share`).
import assert from "node:assert/strict";
import { decodeAccount, encodeAccount, newAccount, newTrade, OrderType, Side } from "./market.js";
import { accountFromJson, accountToJson, tradeFromJson, tradeToJson } from "./market_json.js";
import { viewAccount } from "./market_view.js";

assert.deepEqual({ ...Side }, { buy: 66, sell: 83 });
assert.ok(Object.isFrozen(Side));
const trade = newTrade({ aggressor: Side.sell });
assert.match(tradeToJson(trade), /"aggressor":"sell"/);
assert.equal(tradeFromJson(tradeToJson(trade)).aggressor, Side.sell);
assert.match(tradeToJson({ ...trade, aggressor: 7 }), /"aggressor":7/);
assert.throws(() => encodeAccount(accountOf("buy")), { code: "bad-value" });

function accountOf(side) {
  const order = { id: 1n, side, type: OrderType.limit, price: { mantissa: 1n }, stop: { mantissa: null }, size: 3, note: "" };
  return newAccount({ open: [order], signature: Uint8Array.of(1, 2, 3) });
}

const bytes = encodeAccount(accountOf(Side.buy));
const account = decodeAccount(bytes);
assert.equal(account.open[0].side, Side.buy);
assert.deepEqual(accountFromJson(accountToJson(account)), account);
for (const { signature } of [account, viewAccount(bytes)]) {
  assert.deepEqual(signature, Uint8Array.of(1, 2, 3));
  assert.equal(signature.buffer, bytes.buffer);
}
