// SBE messages in the framings that both sides may agree on.
import assert from "node:assert/strict";
import { howeverCut } from "./cut.js";
import { newQuote, newTrade } from "./market.js";
import { receiver, sender } from "./market_stream.js";

const all = [
  { message: "market.Trade", value: newTrade({ sequence: 1n, venue: "XYZ", aggressor: "sell", side: "buy" }) },
  { message: "market.Quote", value: newQuote({ sequence: 3n }) },
  { message: "market.Trade", value: newTrade({ sequence: 2n, venue: "XYZ" }) },
];
for (const framing of ["u16le", "u16be", "u32le", "u32be", "sofh"]) {
  const out = sender(framing);
  for (const { message, value } of all) out.send(message, value);
  const sent = [];
  for await (const any of receiver(framing).read([out.take()])) sent.push(any);
  assert.deepEqual(sent.map((any) => any.message), all.map((any) => any.message));
  for (const { message, value } of sent) out.send(message, value);
  await howeverCut(out.take(), () => receiver(framing), sent);
}
assert.throws(() => receiver("fbe-final"), TypeError);
assert.throws(() => receiver("header"), TypeError);
assert.throws(() => sender(undefined), TypeError);
