// Integers of 64 bits as numbers in Cap'n Proto: lists are typed arrays, and what differs from a default is turned round.
import assert from "node:assert/strict";
import * as codecs from "./wide.js";
import { wideFromJson, wideToJson } from "./wide_json.js";
import { viewWide, viewWidePacked } from "./wide_view.js";

const wide = codecs.newWide({ signed: -3, unsigned: 2 ** 40, list: [1, -2, 2 ** 50] });
assert.equal(codecs.newWide().signed, -77);
for (const [encode, decode, view] of [
  [codecs.encodeWide, codecs.decodeWide, viewWide],
  [codecs.encodeWidePacked, codecs.decodeWidePacked, viewWidePacked],
]) {
  const bytes = encode(wide);
  for (const back of [decode(bytes), view(bytes)]) {
    assert.deepEqual([back.signed, back.unsigned], [-3, 2 ** 40]);
    assert.ok(back.list instanceof Float64Array);
    assert.deepEqual([...back.list], [1, -2, 2 ** 50]);
  }
  assert.equal(decode(encode(codecs.newWide())).unsigned, 88);
}
assert.deepEqual([...wideFromJson(wideToJson(wide)).list], [1, -2, 2 ** 50]);
