// Bytes inside of values: {bytes, Binary} on the wire, views of the frame here.
import assert from "node:assert/strict";
import { test } from "node:test";
import { runInNewContext } from "node:vm";
import fc from "fast-check";
import { decode, encode, encodeInto, EtfError } from "@aldis/etf";

const frame = (...parts) => Uint8Array.from(parts.flat());
const mark = (content, atom = [119, 5]) => [104, 2, ...atom, 98, 121, 116, 101, 115, 109, 0, 0, 0, content.length, ...content];
const refusedAs = (code, offset) => (error) => error instanceof EtfError && error.code === code && (offset === undefined || error.offset === offset);

test("all that is bytes is written as bytes, text and lists stay what they are", () => {
  const data = [0, 255, 131];
  const buffer = Uint8Array.from([9, ...data, 9]).buffer;
  const foreign = runInNewContext("({ buffer: Uint8Array.of(0, 255, 131).buffer, view: Uint8Array.of(0, 255, 131) })");
  const all = [
    Uint8Array.from(data), Uint8ClampedArray.from(data), Uint8Array.from(data).buffer, new Uint8Array(buffer, 1, 3), new DataView(buffer, 1, 3),
    Buffer.from(data), foreign.buffer, foreign.view,
  ];
  for (const value of all) assert.deepEqual(encode(value), frame(131, mark(data)));
  const read = decode(encode({ image: all[0], text: "\u00e9", list: data, none: new Uint8Array() }));
  assert.deepEqual(read, { image: Uint8Array.from(data), text: "\u00e9", list: data, none: new Uint8Array() });
  assert.equal(Object.getPrototypeOf(read.image), Uint8Array.prototype);
});

test("nothing is copied that is read, and an object that only calls itself a buffer is none", () => {
  const bytes = encode([new Uint8Array(100000)]);
  const [view] = decode(bytes);
  assert.equal(view.buffer, bytes.buffer);
  bytes[bytes.length - 2] = 7;
  assert.equal(view.at(-1), 7);
  // Inside of a larger buffer, and of one that Node shares out.
  const [inside] = decode(Buffer.from(encode([Uint8Array.of(1, 2)])));
  assert.deepEqual(inside, Uint8Array.of(1, 2));
  const spoof = { __proto__: { [Symbol.toStringTag]: "ArrayBuffer" }, a: 1 };
  assert.deepEqual(decode(encode(spoof)), { a: 1 });
});

test("any bytes come back, among other values, with and without tuples", () => {
  const value = fc.anything({ values: [fc.integer(), fc.string(), fc.uint8Array({ maxLength: 40 }), fc.constant(null)], withNullPrototype: false });
  fc.assert(fc.property(value, (sent) => {
    for (const tuples of ["throw", "array"]) assert.deepEqual(decode(encode([sent]), { tuples }), [sent]);
  }), { numRuns: 1000 });
});

test("the mark is one in all forms of its atom; other tuples are tuples", () => {
  for (const atom of [[119, 5], [115, 5], [118, 0, 5], [100, 0, 5]]) {
    assert.deepEqual(decode(frame(131, mark([1, 2], atom))), Uint8Array.of(1, 2));
  }
  const others = [
    [104, 2, 119, 5, 98, 121, 116, 101, 116, 109, 0, 0, 0, 1, 97], [104, 2, 119, 5, 98, 121, 116, 101, 115, 97, 1],
    [104, 3, 119, 5, 98, 121, 116, 101, 115, 109, 0, 0, 0, 0, 97, 1], [104, 2, 109, 0, 0, 0, 5, 98, 121, 116, 101, 115, 109, 0, 0, 0, 0],
    [105, 0, 0, 0, 2, 119, 5, 98, 121, 116, 101, 115, 109, 0, 0, 0, 0], [104, 2, 106, 106],
  ];
  const read = [["bytet", "a"], ["bytes", 1], ["bytes", "", 1], ["bytes", ""], ["bytes", ""], [[], []]];
  others.forEach((term, i) => {
    assert.throws(() => decode(frame(131, term)), refusedAs("tuple", 1));
    assert.deepEqual(decode(frame(131, term), { tuples: "array" }), read[i]);
  });
  // As a key it is refused.
  assert.throws(() => decode(frame(131, 116, 0, 0, 0, 1, mark([1]), 97, 1)), refusedAs("bad_key", 6));
});

test("every cut and every forged size of bytes is refused", () => {
  const whole = encode({ a: [new Uint8Array(300)], b: 1 });
  for (let n = 0; n < whole.length; n++) assert.throws(() => decode(whole.subarray(0, n)), refusedAs("truncated"));
  const forged = frame(131, mark([1]));
  forged.fill(255, 11, 15);
  assert.throws(() => decode(forged), refusedAs("truncated", 15));
  // In a list that still needs its tail, bytes may not take it.
  assert.throws(() => decode(frame(131, 108, 0, 0, 0, 1, [104, 2, 119, 5, 98, 121, 116, 101, 115, 109, 0, 0, 0, 1, 106])), refusedAs("truncated"));
});

test("bytes count for their memory", () => {
  const many = encode(new Array(100).fill(new Uint8Array()));
  assert.throws(() => decode(many, { maxNodes: 499 }), refusedAs("too_many_nodes"));
  assert.equal(decode(many, { maxNodes: 500 }).length, 100);
});

test("encodeInto writes bytes, or nothing", () => {
  const whole = encode([Uint8Array.of(1, 2, 3)]);
  const target = new Uint8Array(whole.length);
  assert.equal(encodeInto([Uint8Array.of(1, 2, 3)], target), whole.length);
  assert.deepEqual(target, whole);
  const short = new Uint8Array(whole.length - 1).fill(7);
  assert.throws(() => encodeInto([Uint8Array.of(1, 2, 3)], short), refusedAs("no_space"));
  assert(short.every((byte) => byte === 7));
});
