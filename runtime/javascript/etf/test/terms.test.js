// Terms as what they are: what @aldis/etf/terms reads and writes, and what it refuses.
import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { Atom, atom, decode, encode, EtfError, Float, ImproperList, Opaque, Tuple, tuple } from "@aldis/etf/terms";

const frame = (...parts) => Uint8Array.from(parts.flat());
const u32 = (n) => [n >>> 24, (n >>> 16) & 255, (n >>> 8) & 255, n & 255];
const hex = (bytes) => Buffer.from(bytes).toString("hex");
const refusedAs = (code, offset) => (error) => error instanceof EtfError && error.code === code && (offset === undefined || error.offset === offset);
const PID = [88, 119, 1, 97, ...u32(7), ...u32(0), ...u32(1)];

test("atoms of one name are one object, and nobody else makes some", () => {
  assert.equal(atom("ok"), atom("ok"));
  assert.notEqual(atom("ok"), atom("error"));
  assert.equal(decode(encode(atom("ok"))), atom("ok"));
  assert.equal(decode(encode(new Map([[atom("id"), 7]]))).get(atom("id")), 7);
  assert.equal(`${atom("grün")} ${JSON.stringify([atom("a")])}`, 'grün ["a"]');
  for (const name of ["nil", "true", "false", "x".repeat(256), "\ud800", 5, undefined]) assert.throws(() => atom(name), TypeError);
  assert.equal(atom("\u{1f600}".repeat(255)).name.length, 510);
  assert.throws(() => new Atom("ok"), TypeError);
  assert.throws(() => { atom("ok").name = "error"; }, TypeError);
});

test("atoms that nobody holds are forgotten", async () => {
  const weak = (() => new WeakRef(atom(`gone-${Math.random()}`)))();
  for (let i = 0; i < 50 && weak.deref(); i++) {
    await new Promise((done) => setTimeout(done, 10));
    globalThis.gc();
  }
  assert.equal(weak.deref(), undefined);
});

test("what each value is written as", () => {
  const cases = [
    [atom("ok"), "77026f6b"], [null, "77036e696c"], [true, "770474727565"], [tuple(), "6800"], [tuple(atom("ok"), 1), "680277026f6b6101"],
    [[], "6a"], [[1], "6c0000000161016a"], [new ImproperList([1], 2), "6c0000000161016102"], [1, "6101"], [new Float(1), "463ff0000000000000"],
    [-0, "468000000000000000"], [2 ** 53, "464340000000000000"], [2n ** 53n, "6e070000000000000020"], [-1n, "62ffffffff"],
    ["a", "6d0000000161"], [Uint8Array.of(97), "6802770562797465736d0000000161"], [new Map([[1, 2]]), "740000000161016102"],
    [{ a: 1 }, "74000000016d00000001616101"], [new Set([1]), "6c0000000161016a"], [new Int16Array([1]), "6c0000000161016a"],
    [2n ** 2040n, `6f0000010000${"00".repeat(255)}01`],
  ];
  for (const [value, expected] of cases) assert.equal(hex(encode(value)), `83${expected}`);
  assert.equal(hex(encode(Uint8Array.of(97), { binaries: "bytes" })), "836d0000000161");
  assert.equal(hex(encode({ a: 1 }, { objectKeys: "atom" })), "8374000000017701616101");
  assert.equal(hex(encode(Tuple.from({ length: 256 }, () => 1))).slice(0, 12), "836900000100");
});

test("nothing is left out or made up", () => {
  const wrong = [
    undefined, () => 1, Symbol("s"), NaN, Infinity, new Date(0), /x/, new (class Point {})(), "\ud800", { a: undefined }, [, 1], new Float(NaN),
    new Blob([]), Promise.resolve(1), new SharedArrayBuffer(1), Object(1), new Error("no"), new ImproperList([], 1),
  ];
  for (const value of wrong) {
    assert.throws(() => encode(value), refusedAs("bad_value"));
    assert.throws(() => encode([tuple(value)]), refusedAs("bad_value"));
  }
  const loop = [];
  loop.push(loop);
  assert.throws(() => encode(loop), refusedAs("too_deep"));
  for (const pairs of [[[1, 1], [1n, 2]], [[tuple(1), 1], [tuple(1), 2]]]) assert.throws(() => encode(new Map(pairs)), refusedAs("duplicate_key"));
});

test("text and bytes are apart by choice", () => {
  const mixed = frame(131, 104, 2, 109, u32(1), 97, 109, u32(1), 255);
  assert.throws(() => decode(mixed), refusedAs("bad_utf8"));
  assert.deepEqual(decode(mixed, { binaries: "bytes" }), tuple(Uint8Array.of(97), Uint8Array.of(255)));
  const marked = encode(Uint8Array.of(1));
  assert.deepEqual(decode(marked), Uint8Array.of(1));
  assert.deepEqual(decode(marked, { binaries: "bytes" }), tuple(atom("bytes"), Uint8Array.of(1)));
  const map = frame(131, 116, u32(1), 109, u32(1), 97, 109, u32(1), 98);
  assert.deepEqual(decode(map, { binaries: "bytes" }), new Map([["a", Uint8Array.of(98)]]));
  assert.deepEqual([...decode(map, { binaries: "bytes", keys: "bytes" }).keys()], [Uint8Array.of(97)]);
});

test("pids, ports and references come back as they came", () => {
  const terms = [
    PID, [103, 100, 0, 1, 97, ...new Array(9).fill(1)], [89, 115, 1, 97, ...u32(1), ...u32(2)], [102, 119, 1, 97, ...u32(1), 3],
    [120, 118, 0, 1, 97, ...new Array(12).fill(1)], [90, 0, 2, 119, 1, 97, ...u32(1), ...u32(2), ...u32(3)], [114, 0, 1, 119, 1, 97, 1, ...u32(2)],
    [101, 119, 1, 97, ...u32(1), 1],
  ];
  const kinds = ["pid", "pid", "port", "port", "port", "reference", "reference", "reference"];
  terms.forEach((term, i) => {
    const value = decode(frame(131, term));
    assert(value instanceof Opaque);
    assert.deepEqual([value.kind, value.node], [kinds[i], "a"]);
    assert.deepEqual(encode([value]), frame(131, 108, u32(1), term, 106));
    assert(value.equals(decode(frame(131, term))) && !value.equals(decode(frame(131, terms[(i + 1) % terms.length]))));
    value.bytes.fill(0);
    assert.deepEqual(encode(value), frame(131, term));
    for (let n = 1; n < term.length; n++) assert.throws(() => decode(frame(131, term.slice(0, n))), refusedAs("truncated"));
  });
  assert.throws(() => decode(frame(131, 88, 97, 1, ...new Array(12).fill(0))), refusedAs("bad_tag", 2));
});

test("values come back as they were", () => {
  const { value } = fc.letrec((tie) => ({
    leaf: fc.oneof(
      fc.integer(), fc.double({ noNaN: true, noDefaultInfinity: true }).filter((n) => !Number.isInteger(n) || !Number.isSafeInteger(n)),
      fc.bigInt().filter((n) => !Number.isSafeInteger(Number(n))), fc.string(), fc.boolean(), fc.constant(null), fc.uint8Array(),
      fc.string({ maxLength: 10 }).filter((name) => !["nil", "true", "false"].includes(name)).map(atom), fc.constant(decode(frame(131, PID))),
    ),
    value: fc.oneof(
      { maxDepth: 3, withCrossShrink: true }, tie("leaf"), fc.array(tie("value"), { maxLength: 5 }), fc.array(tie("value"), { maxLength: 5 }).map((items) => Tuple.from(items)),
      fc.array(fc.tuple(fc.oneof(fc.string(), fc.integer(), fc.string({ maxLength: 3 }).filter((n) => n !== "nil").map(atom)), tie("value")), { maxLength: 5 }).map((pairs) => new Map(pairs)),
      fc.tuple(fc.array(tie("value"), { minLength: 1, maxLength: 4 }), tie("leaf")).map(([items, tail]) => new ImproperList(items, tail)),
    ),
  }));
  fc.assert(fc.property(value, (sent) => assert.deepStrictEqual(decode(encode(sent)), sent)), { numRuns: 1000, endOnFailure: true });
});

test("limits: depth, terms, memory for forged counts", () => {
  const nested = (n) => frame(131, new Array(n).fill([104, 1]).flat(), 106);
  assert.doesNotThrow(() => decode(nested(512)));
  assert.throws(() => decode(nested(513)), refusedAs("too_deep"));
  assert.throws(() => decode(frame(131, new Array(200000).fill([108, 0, 0, 0, 1]).flat())), refusedAs("too_deep"));
  const list = encode(new Array(99).fill(1000));
  assert.throws(() => decode(list, { maxNodes: 99 }), refusedAs("too_many_nodes"));
  assert.equal(decode(list, { maxNodes: 100 }).length, 99);
  assert.throws(() => decode(frame(131, 107, 0, 3, 1, 2, 3), { maxNodes: 3 }), refusedAs("too_many_nodes"));
  assert.equal(decode(encode(Tuple.from({ length: 300000 }, () => 1))).length, 300000);
  const claims = Array.from({ length: 500 }, (_, i) => [108, ...u32(60000 - 5 * i - 10)]).flat();
  globalThis.gc();
  const before = process.memoryUsage().heapUsed;
  for (const bytes of [frame(131, claims, new Array(60000 - claims.length).fill(106)), frame(131, 116, 255, 255, 255, 255, 106), frame(131, 105, 255, 255, 255, 255, 106)]) {
    assert.throws(() => decode(bytes), refusedAs("truncated"));
  }
  assert(process.memoryUsage().heapUsed - before < 8 << 20);
});

test("refused: what is no value, or would be lost", () => {
  const cases = [
    [[68, 0], "bad_tag"], [[77, ...u32(1), 4, 240], "bad_tag"], [[80, ...u32(2)], "bad_tag"], [[82, 0], "bad_tag"], [[112, ...u32(40)], "bad_tag"],
    [[113, 119, 1, 97], "bad_tag"], [[121, 0], "bad_tag"], [[99, ...new Array(31).fill(0)], "bad_tag"], [[70, 0x7f, 0xf0, ...new Array(6).fill(0)], "bad_float"],
    [[110, 1, 2, 5], "bad_integer"], [[111, ...u32(1025), 0, ...new Array(1025).fill(1)], "big_integer"], [[106, 106], "trailing_bytes"],
    [[109, ...u32(4), 1], "truncated"], [[119, 2, 0xc3, 0x28], "bad_utf8"], [[118, 1, 0, ...new Array(256).fill(97)], "bad_atom"],
    [[116, ...u32(2), 97, 1, 97, 1, 70, 0x3f, 0xf0, 0, 0, 0, 0, 0, 0, 97, 2], "duplicate_key"],
  ];
  for (const [term, code] of cases) assert.throws(() => decode(frame(131, term)), refusedAs(code), `${term.slice(0, 5)}`);
  assert.throws(() => decode(frame(130, 106)), refusedAs("not_etf", 0));
  assert.throws(() => decode("text"), TypeError);
  for (const options of [{ binaries: "both" }, { keys: 1 }, { maxDepth: 1001 }, { maxNodes: -1 }]) assert.throws(() => decode(frame(131, 106), options), TypeError);
  for (const options of [{ binaries: "both" }, { objectKeys: "" }, { maxDepth: 0 }]) assert.throws(() => encode([], options), TypeError);
});

test("100,000 mutated frames: a value or an EtfError", () => {
  const seed = encode([tuple(atom("ok"), "text", Uint8Array.of(1)), new Map([[atom("a"), [1.5, 2n ** 70n]]]), decode(frame(131, PID)), new ImproperList([1], 2)]);
  let state = 1;
  const below = (n) => (state = (Math.imul(state, 1103515245) + 12345) >>> 0) % n;
  const tags = [70, 88, 90, 97, 98, 100, 103, 104, 105, 106, 107, 108, 109, 110, 111, 115, 116, 118, 119];
  const counts = { read: 0, refused: 0 };
  for (let i = 0; i < 100000; i++) {
    const bytes = seed.slice(0, below(8) === 0 ? below(60) : undefined);
    for (let n = 1 + below(3); n > 0 && bytes.length > 1; n--) bytes[1 + below(bytes.length - 1)] = below(2) ? below(256) : tags[below(tags.length)];
    try {
      const value = decode(bytes, { binaries: i & 1 ? "bytes" : "text" });
      encode(value, { binaries: i & 1 ? "bytes" : "text" });
      counts.read++;
    } catch (error) {
      if (!(error instanceof EtfError)) throw error;
      assert(error.offset >= 0);
      counts.refused++;
    }
  }
  assert(counts.read > 5000 && counts.refused > 20000, JSON.stringify(counts));
});
