import assert from "node:assert/strict";
import test from "node:test";
import fc from "fast-check";
import { CodecError, Decimal, fromDate, toDate } from "@aldis/codec";
import * as t from "@aldis/codec/json";
import * as r from "@aldis/codec/read";
import { readLatin1, readText, textBytes } from "../src/text.js";

const read = (bytes) => readText(Uint8Array.from(bytes), 0, bytes.length);

test("text of any bytes comes back as these bytes", () => {
  const piece = fc.oneof(fc.uint8Array({ maxLength: 5 }), fc.string({ unit: "binary" }).map((text) => new TextEncoder().encode(text)));
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 20 }), (pieces) => {
      const bytes = pieces.flatMap((piece) => [...piece]);
      assert.deepEqual([...textBytes(read(bytes))], bytes);
    }),
    { numRuns: 2000 },
  );
});

test("text that is UTF-8 is what TextDecoder makes of it", () => {
  fc.assert(
    fc.property(fc.string({ unit: "binary", maxLength: 60 }), (text) => {
      assert.equal(read([...new TextEncoder().encode(text)]), text);
    }),
  );
  assert.equal(read([0xef, 0xbb, 0xbf, 0x41]), "\ufeffA");
});

test("bytes of no character are the halves of pairs that stand for them", () => {
  const cases = [
    [[0xff], "\udcff"],
    [[0xe2, 0x82], "\udce2\udc82"],
    [[0xe2, 0x82, 0x41], "\udce2\udc82A"],
    [[0xed, 0xb2, 0x80], "\udced\udcb2\udc80"],
    [[0xc0, 0x80], "\udcc0\udc80"],
    [[0xf4, 0x90, 0x80, 0x80], "\udcf4\udc90\udc80\udc80"],
    [[0xef, 0xbf, 0xbd], "\ufffd"],
  ];
  for (const [bytes, text] of cases) assert.equal(read(bytes), text);
  assert.equal(readLatin1(Uint8Array.of(0xe9, 0x80, 0x41), 0, 3), "\u00e9\u0080A");
});

test("keys of text have the order of their bytes", () => {
  const text = fc.oneof(fc.string({ unit: "binary" }), fc.uint8Array().map((bytes) => read([...bytes])));
  fc.assert(
    fc.property(text, text, (a, b) => {
      assert.equal(Math.sign(r.orderText(a, b)), Math.sign(Buffer.compare(Buffer.from(textBytes(a)), Buffer.from(textBytes(b)))));
    }),
    { numRuns: 2000 },
  );
  assert.ok(r.orderText("\uffff", "\u{10000}") < 0);
});

test("collections are in order, of equals the first", () => {
  assert.deepEqual([...r.asSet(r.orderValues)([3, 1, 2, 1])], [1, 2, 3]);
  assert.deepEqual([...r.asMap(r.orderText)(["b", 1, "a", 2, "b", 3])], [["a", 2], ["b", 1]]);
  assert.deepEqual(r.asSetList(r.orderValues)([NaN, 1, -0, 0, NaN]), [-0, 1, NaN]);
  const decimals = ["1.10", "-1", "1.1", "-0.0", "0"].map(Decimal.parse);
  assert.deepEqual(r.asSetList(r.orderDecimals)(decimals).map(String), ["-1", "-0.0", "1.10"]);
  const records = r.orderRecords(() => [["__proto__", r.orderValues]]);
  assert.ok(records({ ["__proto__"]: 1 }, { ["__proto__"]: 2 }) < 0);
});

test("decimals keep their scale", () => {
  for (const text of ["0", "-1", "1.10", "0.00", "79228162514264337593543950335", "-0.0000000000000000000000000001"]) {
    assert.equal(String(Decimal.parse(text)), text);
    assert.equal(JSON.stringify(Decimal.parse(text)), `"${text}"`);
  }
  for (const text of ["79228162514264337593543950336", "1e-29", "", ".5", "5.", "1e", "0x1", "1 ", "--1", `1e${"9".repeat(60)}`]) {
    assert.equal(Decimal.parse(text), undefined, text);
  }
  const exponents = [["1.5e3", "1500"], ["15e-3", "0.015"], ["0e30", "0"], [`-0.00e${"9".repeat(60)}`, "-0"]];
  for (const [text, plain] of exponents) assert.equal(String(Decimal.parse(text)), plain);
  assert.throws(() => new Decimal(false, 1n << 96n, 0), RangeError);
});

test("floats are the shortest digits that read back", () => {
  const cases = [[0, "0.0"], [-0, "-0.0"], [1000, "1000.0"], [1e21, "1e+21"], [1.5e-7, "1.5e-7"], [5e-324, "5e-324"]];
  for (const [value, text] of cases) assert.equal(t.toJson(t.f64, value), text);
  assert.equal(t.toJson(t.f32, Math.fround(0.1)), "0.1");
  // Of eight digits 1.5474250e+26 is nearer, and the float below it.
  assert.equal(t.toJson(t.f32, 2 ** 87), "1.5474251e+26");
  assert.equal(t.toJson(t.f32, -(2 ** 87)), "-1.5474251e+26");
  assert.equal(t.toJson(t.f32, 2 ** -149), "1e-45");
  fc.assert(
    fc.property(fc.float({ noNaN: true, noDefaultInfinity: true }), (value) => {
      assert.ok(Object.is(Math.fround(Number(t.toJson(t.f32, value))), value));
    }),
  );
});

test("what JSON cannot say is a fault with its path", () => {
  const book = t.record(() => [["orders", t.list(t.record(() => [["symbol", t.utf8], ["price", t.f64finite]]))]]);
  const fault = (order) => {
    try {
      return t.toJson(book, { orders: [{ symbol: "a", price: 1 }, order] });
    } catch (error) {
      assert.ok(error instanceof CodecError);
      return error.message;
    }
  };
  assert.equal(fault({ symbol: "\udc80", price: 1 }), "bad-text in orders[1].symbol: the text is not UTF-8");
  assert.match(fault({ symbol: "b", price: NaN }), /^bad-value in orders\[1\]\.price: /);
  assert.equal(fault({ symbol: "\n", price: undefined }), '{"orders":[{"symbol":"a","price":1.0},{"symbol":"\\n","price":null}]}');
});

test("timestamps are dates and back", () => {
  const date = new Date("2026-11-22T22:15:00.123Z");
  assert.deepEqual(toDate(fromDate(date) + 999_999n), date);
});
