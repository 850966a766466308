// Messages of segments, packed and not: all of one name, since they do not say which they are.
import assert from "node:assert/strict";
import { howeverCut } from "./cut.js";
import { decodeLevel, newLevel } from "./market.js";
import * as market from "./market_stream.js";

// The last word of packed bytes is zero, dense, or neither.
const sent = [newLevel(), newLevel({ price: -1n }), newLevel({ size: 7n })];
const expected = sent.map((value) => ({ message: "Level", value }));
for (const [receiver, sender] of [
  [market.receiver, market.sender],
  [market.receiverPacked, market.senderPacked],
]) {
  const out = sender();
  for (const value of sent) out.send("Level", value);
  await howeverCut(out.take(), () => receiver("Level"), expected);
}
const out = market.senderCanonical("u16le");
out.send("Level", sent[2]);
await howeverCut(out.take(), () => market.receiverCanonical("Level", "u16le"), [expected[2]]);
assert.throws(() => market.receiver("Levels"), TypeError);
assert.throws(() => market.receiverCanonical("Level"), TypeError);
assert.throws(() => decodeLevel(new Uint8Array(3)), { code: "truncated" });
