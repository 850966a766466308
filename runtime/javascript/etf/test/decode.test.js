import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { decode, encode } from "@aldis/etf";

const bytes = (...parts) => Uint8Array.from(parts.flat());
const text = (string) => [...Buffer.from(string)];
const u32 = (n) => [n >>> 24, (n >>> 16) & 255, (n >>> 8) & 255, n & 255];
const term = (...parts) => decode(bytes(131, ...parts));

test("every tag that has a value", () => {
  assert.equal(term(97, 255), 255);
  assert.equal(term(98, 255, 255, 255, 254), -2);
  assert.equal(term(70, 0x3f, 0xf8, 0, 0, 0, 0, 0, 0), 1.5);
  assert.ok(Object.is(term(70, 0x80, 0, 0, 0, 0, 0, 0, 0), -0));
  assert.deepEqual(term(106), []);
  assert.deepEqual(term(107, 0, 3, 104, 105, 0), [104, 105, 0]);
  assert.deepEqual(term(108, u32(2), 97, 1, 106, 106), [1, []]);
  assert.equal(term(109, u32(3), text("a\u00e9")), "a\u00e9");
  assert.equal(term(109, u32(3), 0xef, 0xbb, 0xbf), "\ufeff");
  assert.deepEqual(term(116, u32(0)), {});
  assert.deepEqual(term(116, u32(2), 97, 7, 106, 109, u32(1), text("k"), 97, 1), { 7: [], k: 1 });
});

test("atoms in all four encodings: nil, true and false are values, others strings", () => {
  for (const [name, value] of [["nil", null], ["true", true], ["false", false], ["ok", "ok"], ["", ""], ["null", "null"]]) {
    const n = name.length;
    assert.equal(term(119, n, text(name)), value);
    assert.equal(term(118, 0, n, text(name)), value);
    assert.equal(term(115, n, text(name)), value);
    assert.equal(term(100, 0, n, text(name)), value);
  }
  assert.equal(term(119, 2, 0xc3, 0xa9), "\u00e9");
  assert.equal(term(115, 2, 0xc3, 0xa9), "\u00c3\u00a9");
  assert.equal(term(100, 0, 1, 0xe9), "\u00e9");
});

test("keys: atoms by name, integers in decimal, the last of equal ones", () => {
  const pair = (key, value) => [...key, 97, value];
  const map = term(116, u32(7), pair([119, 3, ...text("nil")], 1), pair([100, 0, 4, ...text("true")], 2), pair([115, 1, 0xe9], 3),
    pair([98, 255, 255, 255, 255], 4), pair([110, 9, 1, 0, 0, 0, 0, 0, 0, 0, 0, 1], 5), pair([119, 1, 97], 6),
    pair([109, 0, 0, 0, 1, 97], 7));
  assert.deepEqual(map, { nil: 1, true: 2, "\u00e9": 3, "-1": 4, "-18446744073709551616": 5, a: 7 });
});

test("keys 0, 1, .. in a row, of maps of all sizes", () => {
  for (let n = 0; n < 12; n++) {
    const pairs = Array.from({ length: n }, (_, i) => [97, i, 97, i + 100]);
    const expected = Object.fromEntries(pairs.map((_, i) => [i, i + 100]));
    assert.deepEqual(term(116, u32(n), ...pairs), expected);
    assert.deepEqual(term(116, u32(n + 1), ...pairs, 119, 1, 115, 106), { ...expected, s: [] });
    assert.deepEqual(term(116, u32(n + 1), ...pairs, 97, 200, 106), { ...expected, 200: [] });
  }
});

test("__proto__ is a key like others, however often it comes", () => {
  for (let i = 0; i < 3; i++) {
    for (const key of [[109, ...u32(9)], [119, 9], [115, 9]]) {
      const map = term(116, u32(2), key, text("__proto__"), 116, u32(0), 119, 1, 97, 97, 1);
      assert.equal(Object.getPrototypeOf(map), Object.prototype);
      assert.deepEqual(Object.keys(map), ["__proto__", "a"]);
      assert.equal(JSON.stringify(map), '{"__proto__":{},"a":1}');
    }
  }
  assert.equal({}.polluted, undefined);
});

test("names that objects inherit are keys too, read-only ones and setters", (t) => {
  const json = '{"toString":1,"fixed":2,"watched":3,"own":4}';
  Object.defineProperty(Object.prototype, "fixed", { value: 0, configurable: true });
  Object.defineProperty(Object.prototype, "watched", { set: assert.fail, configurable: true });
  t.after(() => delete Object.prototype.fixed && delete Object.prototype.watched);
  const frame = encode(JSON.parse(json));
  for (let i = 0; i < 3; i++) assert.equal(JSON.stringify(decode(frame)), json);
});

test("integers round as in JSON.parse, or are BigInts", () => {
  // Those of eight bytes are the shortest that could be rounded twice.
  const sizes = [1n << 64n, 1n << 1024n].map((end) => fc.bigInt({ min: 1n - end, max: end - 1n }));
  fc.assert(fc.property(fc.oneof(...sizes).filter((n) => Math.abs(Number(n)) >= 2 ** 31), (n) => {
    const frame = encode(n, { bigint: "integer" });
    assert.equal(decode(frame), JSON.parse(String(n)));
    const exact = decode(frame, { integers: "bigint" });
    assert.equal(BigInt(exact), n);
    assert.equal(typeof exact, Number.isSafeInteger(Number(n)) ? "number" : "bigint");
  }));
  assert.equal(term(110, 0, 1), 0);
  assert.ok(Object.is(term(110, 1, 1, 0), 0));
  assert.equal(term(111, u32(2), 1, 0, 1), -256);
});

test("strings of every length and mix, alone and in company", () => {
  const unit = fc.oneof({ weight: 20, arbitrary: fc.constantFrom("a", "b", " ") }, fc.constantFrom("\u00e9", "\u20ac", "\u{1f600}"));
  const strings = fc.array(fc.oneof(
    fc.string({ minLength: 0, maxLength: 20 }), fc.string({ unit, minLength: 10, maxLength: 300 }),
    fc.integer({ min: 0, max: 600 }).map((n) => "x".repeat(n)), fc.integer({ min: 128, max: 100000 }), fc.double({ noNaN: true, noDefaultInfinity: true }),
  ), { maxLength: 60 });
  fc.assert(fc.property(strings, (list) => {
    assert.deepEqual(decode(encode(list)), JSON.parse(JSON.stringify(list)));
  }), { numRuns: 500 });
});

test("more keys than are remembered, keys longer than that, and the same again", () => {
  const many = Object.fromEntries(Array.from({ length: 5000 }, (_, i) => [`key-${i}-${"k".repeat(i % 40)}`, i]));
  for (let i = 0; i < 3; i++) assert.deepEqual(decode(encode([many, many])), [many, many]);
});

test("input: buffers and views at any place; nothing else", () => {
  const frame = bytes(1, 2, 3, 131, 109, u32(20), text("abcdefghij0123456789"), 9, 9);
  const inside = frame.subarray(3, frame.length - 2);
  const value = "abcdefghij0123456789";
  assert.equal(decode(inside), value);
  assert.equal(decode(Buffer.from(inside)), value);
  assert.equal(decode(new DataView(frame.buffer, 3, inside.length)), value);
  assert.equal(decode(inside.slice().buffer), value);
  for (const wrong of [undefined, null, 5, "text", [131, 106], {}]) assert.throws(() => decode(wrong), TypeError);
});

test("the result shares no memory with the input", () => {
  const frame = bytes(131, 109, u32(2), 255, 254);
  const value = decode(frame, { invalidUtf8: "bytes" });
  frame.fill(0);
  assert.deepEqual(value, bytes(255, 254));
});

test("options that are none are refused", () => {
  for (const options of [{ tuples: "yes" }, { integers: true }, { invalidUtf8: "" }, { maxDepth: 0 }, { maxDepth: 1001 }, { maxDepth: NaN }]) {
    assert.throws(() => decode(bytes(131, 106), options), TypeError);
  }
});

test("texts of all lengths, at all places of a frame, ASCII and not", () => {
  const toUtf8 = new TextEncoder();
  const texts = Array.from({ length: 300 }, (_, n) => "a".repeat(n % 150) + (n % 7 === 3 ? "é" : "z") + (n % 11 === 5 ? "東" : ""));
  for (const list of [texts, texts.slice(60, 66), [...texts].reverse(), texts.map((text) => text.slice(-30))]) {
    const parts = list.map((text) => toUtf8.encode(text));
    const frame = [131, 108, 0, 0, list.length >> 8, list.length & 255];
    // Bytes beyond ASCII between the texts, as lengths and numbers have them.
    for (const part of parts) frame.push(109, 0, 0, 0, part.length, ...part);
    assert.deepEqual(decode(Uint8Array.from([...frame, 106])), list);
    const broken = Uint8Array.from([...frame, 106]);
    broken[broken.length - 2] = 0xc3;
    assert.throws(() => decode(broken), { code: "bad_utf8" });
  }
});
