// Faults do not show the values of hidden fields, and an error of the language is the cause of the fault that it becomes, if nothing is hidden.
import assert from "node:assert/strict";
import { inspect } from "node:util";
import { CodecError } from "@aldis/codec";
import { encodeCard, encodeCardFinal, newCard } from "./secret.js";
import { cardFromJson, cardToJson } from "./secret_json.js";

const message = (run) => {
  try {
    run();
  } catch (fault) {
    assert(fault instanceof CodecError, fault);
    return fault.message;
  }
  assert.fail("it is taken");
};
const wrong = { pin: 777, wide: 2n ** 77n, pins: [1, 777], inner: { digits: 777e9 }, colour: 777 };
for (const [field, value] of Object.entries(wrong)) {
  for (const encode of [encodeCard, encodeCardFinal]) {
    assert.match(message(() => encode(newCard({ [field]: value }))), new RegExp(`^out-of-range in ${field}.*: \\*{3} is not a whole number`));
  }
  const given = JSON.stringify({ [field]: value }, (_, part) => (typeof part === "bigint" ? 777e30 : part));
  assert.match(message(() => cardFromJson(given)), new RegExp(`^out-of-range at byte \\d+ in ${field}.*: \\*{3} is not an integer`));
}
assert.match(message(() => encodeCard(newCard({ open: 777 }))), /^out-of-range in open: 777 is not a whole number/);
assert.match(message(() => cardFromJson('{"open":777}')), /: 777 is not an integer/);

// JSON of a value with other types: no error of the language leaves, and a hidden value is not in the words.
assert.throws(() => cardToJson(newCard({ colour: "mauve" })), { name: "CodecError", code: "bad-value", path: ["colour"] });
const inspects = (fault) => fault instanceof CodecError && fault.cause === undefined && !inspect(fault, { showHidden: true }).includes("777");
assert.throws(() => cardToJson(newCard({ pins: 777 })), inspects);
assert.throws(() => cardToJson(newCard({ open: Object.create(null) })), (fault) => fault.cause instanceof TypeError);
for (const encode of [encodeCard, encodeCardFinal]) {
  for (const pin of [Symbol("777"), { get valueOf() { throw new RangeError("777"); } }]) assert.throws(() => encode(newCard({ pin })), inspects);
  assert.throws(() => encode({ ...newCard(), get inner() { throw new SyntaxError("777"); } }), inspects);
}
assert.throws(() => cardToJson(null), { name: "CodecError", code: "bad-value" });
