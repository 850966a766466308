import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { decode, encode, encodeInto, EtfError } from "@aldis/etf";

const hex = (bytes) => Buffer.from(bytes).toString("hex");

/** Both say the same: the value's JSON, and its term decoded. */
function likeJson(value) {
  assert.deepStrictEqual(decode(encode(value)), JSON.parse(JSON.stringify(value)));
}

const failsWith = (code) => (error) => error instanceof EtfError && error.code === code;

test("bytes", () => {
  assert.equal(hex(encode(null)), "837703" + "6e696c");
  assert.equal(hex(encode(true)), "837704" + "74727565");
  assert.equal(hex(encode(false)), "837705" + "66616c7365");
  assert.equal(hex(encode(255)), "8361ff");
  assert.equal(hex(encode(256)), "836200000100");
  assert.equal(hex(encode(-1)), "8362ffffffff");
  assert.equal(hex(encode(2 ** 31)), "836e040000000080");
  assert.equal(hex(encode(-(2 ** 31) - 1)), "836e040101000080");
  assert.equal(hex(encode(2 ** 53 - 1)), "836e0700ffffffffffff1f");
  assert.equal(hex(encode(2 ** 53)), "836e070000000000000020");
  assert.equal(hex(encode(-(2 ** 63))), "836e08010000000000000080");
  assert.equal(hex(encode(999999999999999900000)), "836e090000009edec5adc93536");
  assert.equal(hex(encode(1e21)), "8346444b1ae4d6e2ef50");
  assert.equal(hex(encode(0.5)), "83463fe0000000000000");
  assert.equal(hex(encode(-0)), "836100");
  assert.equal(hex(encode([])), "836a");
  assert.equal(hex(encode([1, "a"])), "836c0000000261016d00000001616a");
  assert.equal(hex(encode({ a: 1 })), "8374000000016d00000001616101");
});

test("what JSON.stringify drops, nulls, unboxes and calls", () => {
  class Point { x = 1; get y() { return 2; } }
  const noPrototype = Object.assign(Object.create(null), { a: 1 });
  const inherited = Object.create({ hidden: 1 }, { own: { value: 2, enumerable: true }, unseen: { value: 3 } });
  const called = () => {};
  called.toJSON = () => "called";
  for (const value of [
    { a: undefined, b: () => 1, c: Symbol("c"), [Symbol("d")]: 1, e: null },
    [undefined, () => 1, Symbol("c"), , NaN, Infinity, -Infinity, -0],
    new Date(0), new Date(NaN), [new Date(1e12)], new Point(), noPrototype, inherited,
    /x/, new Error("no"), new Proxy([1, 2], {}), new Proxy({ a: 1 }, {}),
    Object(1), Object("boxed"), Object(false), [Object(1.5)], { toJSON: called }, { called }, Object.assign([1], { extra: 2 }),
    { toJSON: () => undefined, other: 1 }.constructor, { a: { toJSON: () => undefined }, b: { toJSON: () => () => 1 } },
    [{ toJSON: () => undefined }], { redirect: undefined, url: "http://localhost/", params: {} },
  ].filter((v) => JSON.stringify(v) !== undefined)) likeJson(value);
});

test("collections and typed arrays are what they hold", () => {
  const cases = [
    [new Map([["a", 1], [2, new Map()], ["__proto__", null]]), '{"a":1,"2":{},"__proto__":null}'],
    [new Set(["a", [1], undefined]), '["a",[1],null]'], [new Set(), "[]"], [new Map(), "{}"],
    [new Float64Array([0.5, NaN, 2]), "[0.5,null,2]"], [new Int8Array([-1, 1]), "[-1,1]"], [new Uint32Array([2 ** 31]), "[2147483648]"],
    [{ in: [new Set([new Map([["b", new Int16Array(2)]])])] }, '{"in":[[{"b":[0,0]}]]}'],
  ];
  for (const [value, json] of cases) assert.equal(JSON.stringify(decode(encode(value))), JSON.stringify(JSON.parse(json)));
  assert.deepEqual(decode(encode(new BigInt64Array([1n]), { bigint: "integer" })), [1]);
  assert.throws(() => encode(new BigInt64Array([1n])), TypeError);
  class Ordered extends Map {}
  assert.deepEqual(decode(encode(new Ordered([["a", 1]]))), { a: 1 });
});

test("what would silently be an empty object is refused", () => {
  const wrong = [new Map([[{}, 1]]), new Map([[NaN, 1]]), new Map([[null, 1]]), new SharedArrayBuffer(1), new Blob([]), Promise.resolve(), new WeakMap(), new WeakSet(), new WeakRef({})];
  for (const value of wrong) {
    assert.throws(() => encode(value), failsWith("bad_value"));
    assert.throws(() => encode({ deep: [value] }), failsWith("bad_value"));
  }
  assert.throws(() => encode(new Map([[1, 1], ["1", 2]])), failsWith("duplicate_key"));
  assert.throws(() => encode({ get [Symbol.toStringTag]() { return "Map"; }, a: 1, __proto__: {} }), TypeError);
  const loop = new Map();
  loop.set("again", new Set([loop]));
  assert.throws(() => encode(loop), /cyclic/);
});

test("toJSON gets its key, once, and its result is not asked again", () => {
  const asked = [];
  const spy = { toJSON(key) { asked.push(key); return { toJSON: () => "again" }; } };
  const mirror = { toJSON(key) { return `${typeof key} ${key}`; } };
  likeJson({ a: mirror, list: [mirror, [mirror]], 5: mirror });
  assert.equal(decode(encode(mirror)), "string ");
  // A toJSON on the result is a function, hence dropped.
  assert.deepEqual(decode(encode({ spy })), { spy: {} });
  assert.deepEqual(asked, ["spy"]);
  assert.equal(decode(encode({ toJSON: () => Object("boxed") })), "boxed");
});

test("no value at all", () => {
  for (const value of [undefined, () => 1, Symbol("s"), { toJSON() {} }]) {
    assert.throws(() => encode(value), failsWith("no_value"));
  }
});

test("BigInts throw, unless they are asked for or have toJSON", (t) => {
  assert.throws(() => encode([1n]), TypeError);
  assert.throws(() => encode(Object(1n)), TypeError);
  const options = { bigint: "integer" };
  for (const n of [0n, 255n, 256n, -1n, 2n ** 31n, -(2n ** 31n), -(2n ** 63n), 2n ** 64n, 2n ** 2040n - 1n]) {
    const frame = encode([n, Object(n)], options);
    if (n < 2n ** 1024n) assert.deepEqual(decode(frame, { integers: "bigint" }).map(BigInt), [n, n]);
  }
  assert.throws(() => encode(2n ** 2040n, options), failsWith("big_integer"));
  BigInt.prototype.toJSON = function () { return `${this}n`; };
  t.after(() => delete BigInt.prototype.toJSON);
  likeJson({ a: 5n, b: [6n] });
});

test("cycles throw a TypeError, repeats do not, depth is an EtfError", () => {
  const loop = { list: [] };
  loop.list.push({ loop });
  assert.throws(() => encode(loop), TypeError);
  const self = [];
  self.push(self);
  assert.throws(() => encode(self), TypeError);
  const shared = { a: 1 };
  likeJson([shared, [shared], { shared }]);
  let deep = [];
  for (let i = 1; i < 512; i++) deep = i % 2 ? [deep] : { deep };
  likeJson(deep);
  assert.throws(() => encode([deep]), failsWith("too_deep"));
  for (let i = 0; i < 200000; i++) deep = [deep];
  assert.throws(() => encode(deep), failsWith("too_deep"));
  const endless = { toJSON: () => [endless] };
  assert.throws(() => encode(endless, { maxDepth: 1000 }), failsWith("too_deep"));
});

test("lone surrogates become U+FFFD, in text of all lengths and in keys", () => {
  for (const pad of ["", "x".repeat(30), "x".repeat(500), "\u00e9".repeat(200)]) {
    for (const lone of ["\ud800", "\udc00", "\udc00\ud800"]) {
      const text = pad + lone + pad;
      assert.equal(decode(encode(text)), text.toWellFormed());
      assert.deepEqual(decode(encode({ [text]: 1 })), { [text.toWellFormed()]: 1 });
    }
  }
  assert.throws(() => encode({ "\ud800": 1, "\udc00": 2 }), failsWith("duplicate_key"));
  assert.throws(() => encode({ "\ud800": 1, "\ufffd": 2 }), failsWith("duplicate_key"));
  likeJson({ "\u00e9": 1, "\u00e8": 2, "\ufffd": 3 });
});

test("keys are binaries and own ones, __proto__ too", () => {
  likeJson(JSON.parse('{"__proto__": {"a": 1}, "constructor": 1, "0": [], "": null}'));
  assert.equal(hex(encode({ 0: 1 })), "8374000000016d00000001306101");
});

test("any value that JSON can say says the same", () => {
  const any = fc.anything({
    withDate: true, withBoxedValues: true, withNullPrototype: true, withSparseArray: true,
    values: [fc.boolean(), fc.integer(), fc.maxSafeInteger(), fc.double(), fc.string({ unit: "grapheme" }), fc.constant(null), fc.constant(undefined)],
  });
  fc.assert(fc.property(any.filter((v) => JSON.stringify(v) !== undefined), likeJson), { numRuns: 3000 });
  fc.assert(fc.property(fc.jsonValue({ maxDepth: 5 }), likeJson), { numRuns: 2000 });
});

test("calls within calls: toJSON and getters may encode", () => {
  const target = new Uint8Array(100);
  const inner = {
    toJSON() {
      assert.throws(() => encode(1n), TypeError);
      assert.throws(() => encode(1, { maxDepth: -1 }), TypeError);
      return [hex(encode({ inner: "x".repeat(3000) })).length, encodeInto([1], target), hex(target.subarray(0, 3))];
    },
  };
  const expected = { before: "b", inner: [6042, 9, "836c00"], after: "a" };
  for (let i = 0; i < 3; i++) assert.deepEqual(decode(encode({ before: "b", inner, after: "a" })), expected);
  const outer = new Uint8Array(200);
  assert.deepEqual(decode(outer.subarray(0, encodeInto({ before: "b", inner, after: "a" }, outer))), expected);
});

test("errors of the user's code come through, and the next call is as good as new", () => {
  const failing = { get a() { throw new RangeError("mine"); } };
  assert.throws(() => encode([1, failing]), new RangeError("mine"));
  likeJson([1, 2, 3]);
});

test("encodeInto needs the exact size, and no more", () => {
  const value = { text: "x".repeat(100), "\u00e9": ["\u20ac".repeat(60), 1, 300, -5, 2 ** 40, 0.5, null, true, [], {}] };
  const whole = encode(value);
  const target = new Uint8Array(whole.length + 4).fill(7);
  assert.equal(encodeInto(value, target.subarray(2, whole.length + 2)), whole.length);
  assert.deepEqual(target.subarray(2, whole.length + 2), whole);
  assert.deepEqual([...target.subarray(0, 2), ...target.subarray(whole.length + 2)], [7, 7, 7, 7]);
  for (let n = 0; n < whole.length; n++) {
    const short = new Uint8Array(n).fill(7);
    assert.throws(() => encodeInto(value, short), failsWith("no_space"));
    assert(short.every((byte) => byte === 7));
  }
  for (const one of [1, 300, 2 ** 31, 2 ** 52, 0.5, null, "", "\u00e9", [], {}]) {
    assert.equal(encodeInto(one, new Uint8Array(encode(one).length)), encode(one).length);
  }
  assert.throws(() => encodeInto(value, new ArrayBuffer(1000)), TypeError);
});

test("results are arrays of their own, of all sizes", () => {
  const first = encode("first");
  encode("other");
  assert.equal(decode(first), "first");
  assert.equal(first.buffer.byteLength, first.length);
  for (const n of [1000, 70000, 5_000_000]) {
    assert.equal(decode(encode("\u00e9".repeat(n))).length, n);
    assert.equal(decode(encode(new Array(n).fill(1)), { maxNodes: n }).length, n);
  }
});
