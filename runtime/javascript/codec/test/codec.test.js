import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import test from "node:test";
import fc from "fast-check";
import { CodecError, Decimal, fromDate, toDate } from "@aldis/codec";
import * as t from "@aldis/codec/json";
import * as r from "@aldis/codec/read";
import * as w from "@aldis/codec/write";
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
  // Among numbers of eight digits 1.5474250e+26 is nearer, and it is the float below.
  assert.equal(t.toJson(t.f32, 2 ** 87), "1.5474251e+26");
  assert.equal(t.toJson(t.f32, -(2 ** 87)), "-1.5474251e+26");
  assert.equal(t.toJson(t.f32, 2 ** -149), "1e-45");
  // Exactly between two numbers of eight digits the even one is written.
  for (const [value, text] of [[166911.625, "166911.62"], [-166911.625, "-166911.62"], [166911.375, "166911.38"]]) {
    assert.equal(Math.fround(value), value);
    assert.equal(t.toJson(t.f32, value), text);
  }
  fc.assert(
    fc.property(fc.float({ noNaN: true, noDefaultInfinity: true }), (value) => {
      assert.ok(Object.is(Math.fround(Number(t.toJson(t.f32, value))), value));
    }),
  );
});

test("what JSON cannot say is a fault with its path", () => {
  const book = t.record(Array.of, () => [["orders", t.list(t.record(Array.of, () => [["symbol", t.utf8], ["price", t.f64finite]]))]]);
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

const refusal = (type, text) => {
  try {
    return t.fromJson(type, text);
  } catch (error) {
    assert.ok(error instanceof CodecError, error.stack);
    return `${error.code} ${error.offset}`;
  }
};

test("integers are read by value, exactly", () => {
  const cases = [["0", 0n], ["-0", 0n], ["-1.50e1", -15n], ["1e3", 1000n], ["100e-2", 1n], ["0e999999999", 0n], ["9007199254740993", 9007199254740993n]];
  for (const [text, value] of cases) assert.equal(t.fromJson(t.i64, text), value, text);
  for (const text of ["1.5", "1e-1", "1e39", "9223372036854775808", `1e${"9".repeat(30)}`, `1${"0".repeat(50000)}1`]) {
    assert.equal(refusal(t.i64, text), "out-of-range 0", text);
  }
  assert.equal(t.fromJson(t.u8, " 2.55e2\n"), 255);
  assert.equal(refusal(t.u8, "256"), "out-of-range 0");
  for (const text of ["01", "-", "1.", ".5", "1e", "+1", "--1", "1 1", "", "null", "0x1"]) {
    assert.match(String(refusal(t.i32, text)), /^bad-json \d+$/, text);
  }
});

test("strings are read strictly", () => {
  assert.equal(t.fromJson(t.utf8, String.raw`"a\u00e9\ud83d\ude80\n\/"`), "aé🚀\n/");
  fc.assert(
    fc.property(fc.string({ unit: "grapheme" }), (text) => {
      assert.equal(t.fromJson(t.utf8, JSON.stringify(text)), text);
      assert.equal(t.fromJson(t.utf8, new TextEncoder().encode(JSON.stringify(text))), text);
    }),
  );
  const bad = [String.raw`"\ud83d"`, String.raw`"\ud83dx"`, String.raw`"\ud83d\u0041"`, String.raw`"\x"`, String.raw`"\u12"`, '"a\nb"', '"a', '"\ud83d"', '"\udc80"'];
  for (const text of bad) assert.match(String(refusal(t.utf8, text)), /^bad-json \d+$/, text);
  assert.equal(refusal(t.utf8, Uint8Array.of(0x22, 0xff, 0x22)), "bad-json 0");
  assert.equal(refusal(t.latin1, '"é€"'), "out-of-range 0");
  for (const text of ["aGk=", "aGkh", ""]) assert.equal(t.toJson(t.bytes, t.fromJson(t.bytes, `"${text}"`)), `"${text}"`);
  for (const text of ["aGk", "aGl=", "a===", "aG k", "aGk=aGk=", "="]) assert.equal(refusal(t.bytes, `"${text}"`), "bad-json 0", text);
});

test("records take each key once, and no others", () => {
  const point = t.record((id, name) => ({ id, ["__proto__"]: name }), () => [["id", t.u8], ["__proto__", t.utf8, { absent: () => "none" }]]);
  assert.deepEqual(Object.entries(t.fromJson(point, '{"id":1}')), [["id", 1], ["__proto__", "none"]]);
  assert.deepEqual(Object.entries(t.fromJson(point, '{"__proto__":"x","id":1}')), [["__proto__", "x"], ["id", 1]].reverse());
  assert.equal({}.polluted, undefined);
  assert.equal(refusal(point, '{"id":1,"id":2}'), "bad-json 8");
  assert.equal(refusal(point, '{"constructor":1}'), "bad-json 1");
  assert.equal(refusal(point, '{"__proto__":""}'), "bad-json 16");
  const nested = t.record(Array.of, () => [["é", t.list(point, r.asList)]]);
  const fault = (text) => {
    try {
      t.fromJson(nested, text);
    } catch (error) {
      return error.message.split(":")[0];
    }
  };
  assert.equal(fault('{"é":[{"id":1},{"id":256}]}'), "out-of-range at byte 21 in é[1].id");
  assert.equal(fault(new TextEncoder().encode('{"é":[{"id":1},{"id":256}]}')), "out-of-range at byte 22 in é[1].id");
  const deep = t.record(Array.of, () => [["a", t.optional(deep)]]);
  assert.equal(refusal(deep, '{"a":'.repeat(65)), "too-deep 320");
});

test("sets and maps give no key twice", () => {
  assert.deepEqual(t.fromJson(t.set(t.u8, r.asSet(r.orderValues)), "[2,1]"), new Set([1, 2]));
  assert.equal(refusal(t.set(t.u8, r.asSet(r.orderValues)), " [2,1,2]"), "bad-json 1");
  const map = t.map(t.i64, t.utf8, r.asMap(r.orderValues));
  assert.deepEqual(t.fromJson(map, '{"-5":"a"}'), new Map([[-5n, "a"]]));
  for (const key of ["-0", "05", "1e3", " 5"]) assert.match(String(refusal(map, `{"${key}":"a"}`)), /^bad-json/, key);
  const kinds = t.enumeration(true, t.u8, () => [["one", 1], ["uno", 1], ["constructor", 2]]);
  assert.deepEqual(["1", '"uno"', '"constructor"', "7"].map((text) => t.fromJson(kinds, text)), ["one", "one", "constructor", 7]);
  assert.equal(refusal(kinds, '"toString"'), "bad-json 0");
  const marks = t.flags(true, t.u64, () => [["a", 1n], ["b", 2n]], () => [["all", 3n]]);
  assert.equal(t.fromJson(marks, '["all",8]'), 11n);
});

test("messages lie side by side, and one may be transferred with those beside it", () => {
  const octet = (f, value) => {
    f.b[f.at++] = value;
  };
  const [one, two] = [w.write(octet, 1), w.write(octet, 2)];
  assert.deepEqual([one.buffer === two.buffer, one[0], two[0]], [true, 1, 2]);
  structuredClone(one.buffer, { transfer: [one.buffer] });
  assert.deepEqual([two.length, ...w.write(octet, 3)], [0, 3]);
});

// Records of two thousand fields that are all absent: on their own, with members in other shapes, and within another record.
const WIDE = `
  const fields = Array.from({ length: 2000 }, (_, i) => ["f" + i, j.u8, { absent: () => 0 }]);
  const of = (...values) => Object.fromEntries(values.map((value, i) => ["f" + i, value]));
  const group = ["group", j.shape(of, () => fields), { absent: () => of(...new Array(2000).fill(0)) }];
  const types = [j.record(of, () => fields), j.shape(of, () => fields), j.shape((group) => ({ group }), () => [group])];
`;

test("empty objects of wide records are paid for, and take no more memory than they may", () => {
  const script = `
    import assert from "node:assert/strict";
    import * as j from "@aldis/codec/json";
    ${WIDE}
    const rows = (count) => "[" + new Array(count).fill("{}").join(",") + "]";
    for (const type of types) {
      const list = j.list(type, (items) => items);
      assert.equal(j.fromJson(list, rows(50)).length, 50);
      for (const count of [200, 20_000]) {
        assert.throws(() => j.fromJson(list, rows(count)), ({ code, path }) => code === "too-large" && path[0] < count);
      }
    }
  `;
  const cwd = new URL("..", import.meta.url);
  // An engine without the values takes some of it.
  execFileSync(process.execPath, ["--max-old-space-size=32", "--input-type=module", "-e", script], { cwd, stdio: "pipe" });
});

test("faults of values say what the field takes", () => {
  const cases = [
    [() => w.noInteger(256, 8), "out-of-range: 256 is not a whole number from 0 to 255"],
    [() => w.noInteger(2n ** 40n, 32), "out-of-range: 1099511627776 is not a whole number from 0 to 4294967295"],
    [() => w.noInteger(40000, -16), "out-of-range: 40000 is not a whole number from -32768 to 32767"],
    [() => w.noInteger("7", 32), "bad-value: the value is not a whole number from 0 to 4294967295"],
    [() => w.noInteger(null, -8), "bad-value: null, but the field must have a whole number from -128 to 127"],
    [() => w.unnamed("buyx", "Side"), "bad-value: the value is no name of the enum Side"],
    [
      () => {
        throw w.leave(new TypeError("Cannot mix BigInt and other types"), "flags");
      },
      "bad-value in flags: the value is not of the field's type: Cannot mix BigInt and other types",
    ],
    [() => w.u64Of(-1), "out-of-range: -1 is not a whole number from 0 to 18446744073709551615"],
    [() => w.i64Of(1.5), "bad-value: the value is not a whole number from -9223372036854775808 to 9223372036854775807"],
    [() => w.f64Of("1"), "bad-value: the value is not a number"],
    [() => w.boolOf(1), "bad-value: the value is not true or false"],
    [() => w.charOf("ab"), "bad-value: the value is not a string of one character"],
    [() => w.putUuid(null, 0, "short"), "bad-value: the value is not a uuid of 32 hex digits with hyphens"],
    [() => w.putDecimal(null, 0, 1), "bad-value: the value is not a Decimal, or the text of one"],
    [() => w.putText(null, 7, 0), "bad-value: the value is not a string"],
    [() => w.putBytes(null, [1], 0), "bad-value: the value is not a Uint8Array"],
    [() => w.count({}), "bad-value: the value is not an array"],
    [() => w.isRecord(undefined), "bad-value: null, but the field must have an object"],
  ];
  for (const [run, message] of cases) assert.throws(run, { message });
});
