// The golden frames of conformance/vectors/transport, and random bytes.
import assert from "node:assert/strict";
import { readFileSync, readdirSync } from "node:fs";
import test from "node:test";
import fc from "fast-check";
import { TransportError } from "@aldis/transport";
import { crc32, plainCrc32 } from "../src/crc32.js";
import { codeName, codeNumber, isFatal } from "../src/error.js";
import { checksum, decodeFrame, encodeFrame, entriesOf } from "../src/frame.js";
import { Inbox } from "../src/inbox.js";

const root = new URL("../../../../", import.meta.url);
const folder = new URL("conformance/vectors/transport/", root);

/** Hexadecimal bytes; what follows `#` in a line is said to people. */
const hex = (path) => Buffer.from(readFileSync(new URL(path, folder), "utf8").replaceAll(/#.*/g, "").replaceAll(/\s/g, ""), "hex");

const credit = { messages: 100_000, bytes: 8_388_608 };
const entries = Buffer.from("\x03\0\0\0abc\0\0\0\0\x05\0\0\0hello");
const batch = { kind: "batch", first: 42, count: 3, crc: 0x3856039e, entries };
const text = (value) => Buffer.from(value);
const GOLDEN = {
  hello: {
    kind: "hello", version: 1, features: 1 | 4 | 8, producer: Buffer.from(Array.from({ length: 16 }, (_, i) => 0xa0 + i)), epoch: 7,
    authMethod: text("token"), authData: text("s3cret"), durability: "durable", window: { messages: 4000, bytes: 1 << 20 },
  },
  welcome: { kind: "welcome", version: 1, features: 4 | 8, session: 0x1122334455667788n, last: 41, credit, maxFrame: 1 << 20, durability: "durable" },
  batch,
  ack: { kind: "ack", received: 44, handled: 43, durable: 40, duplicates: 2, credit },
  nack: { kind: "nack", expected: 42, code: "gap", text: "42 is missing" },
  request: { kind: "request", correlation: 9n, deadline: 250, bytes: text("ping?") },
  "request-empty": { kind: "request", correlation: 10n, deadline: 0, bytes: text("") },
  reply: { kind: "reply", correlation: 9n, code: "normal", bytes: text("pong!") },
  "reply-refused": { kind: "reply", correlation: 10n, code: "refused", bytes: text("nö") },
  push: { kind: "push", subscription: 3, first: 1000, count: 2, entries: text("\x02\0\0\0p1\x02\0\0\0p2") },
  ping: { kind: "ping", opaque: 0xfedcba9876543210n },
  pong: { kind: "pong", opaque: 0xfedcba9876543210n },
  drain: { kind: "drain", milliseconds: 5000 },
  close: { kind: "close", code: "idle", text: "nothing came for 30 s" },
  "close-bare": { kind: "close", code: "normal", text: "" },
  subscribe: { kind: "subscribe", subscription: 3, from: 1, credit: 500, topic: "log" },
  unsubscribe: { kind: "unsubscribe", subscription: 3, code: "refused", text: "no topic logs" },
  credit: { kind: "credit", subscription: 3, consumed: 1001, credit: 500 },
  "unknown-skipped": { kind: "unknown", number: 0xf0, body: text("later") },
};

test("every kind is as the golden files have it", () => {
  for (const [name, frame] of Object.entries(GOLDEN)) {
    const golden = hex(`${name}.hex`);
    assert.deepEqual(decodeFrame(golden[4], golden.subarray(5)), frame, name);
    assert.deepEqual(encodeFrame(frame), golden, name);
  }
  assert.equal(checksum(batch), batch.crc);
  for (const name of ["batch-schema", "batch-no-checksum"]) {
    const golden = hex(`${name}.hex`);
    const frame = decodeFrame(golden[4], golden.subarray(5), name === "batch-schema");
    assert.deepEqual(encodeFrame(frame), golden);
    if (name === "batch-schema") assert.equal(checksum(frame), frame.crc);
  }
});

test("what cannot be understood is a fault of the protocol", () => {
  for (const name of readdirSync(new URL("malformed/", folder))) {
    const golden = hex(`malformed/${name}`);
    const read = () => new Inbox().add(golden, (kind, body) => decodeFrame(kind, body));
    assert.throws(read, (error) => error instanceof TransportError && error.code === "protocol", name);
  }
  assert.throws(() => new Inbox().add(Buffer.from([0, 0, 0, 255]), () => {}), { code: "frame-too-large" });
});

test("any bytes are a frame or a fault, and a frame is written as it was", () => {
  fc.assert(
    fc.property(fc.integer({ min: 0, max: 255 }), fc.uint8Array({ maxLength: 80 }), (kind, body) => {
      try {
        const frame = decodeFrame(kind, Buffer.from(body));
        assert.deepEqual(encodeFrame(frame).subarray(5), Buffer.from(body));
      } catch (error) {
        if (!(error instanceof TransportError)) throw error;
      }
    }),
    { numRuns: 20_000 },
  );
});

test("frames come whole however they are cut, and texts are cut between characters", () => {
  const stream = Buffer.concat(Object.values(GOLDEN).map((frame) => encodeFrame(frame)));
  for (const size of [1, 2, 7, 64, stream.length]) {
    const inbox = new Inbox();
    const found = [];
    for (let at = 0; at < stream.length; at += size) {
      inbox.add(stream.subarray(at, at + size), (kind, body) => found.push(decodeFrame(kind, body)));
    }
    assert.deepEqual(found, Object.values(GOLDEN));
  }
  const long = encodeFrame({ kind: "close", code: "normal", text: `${"x".repeat(1023)}ö` });
  assert.equal(decodeFrame(long[4], long.subarray(5)).text, "x".repeat(1023));
});

test("entries are exactly so many", () => {
  assert.deepEqual(entriesOf(entries, 3).map(String), ["abc", "", "hello"]);
  for (const count of [2, 4, 2 ** 32 - 1]) assert.equal(entriesOf(entries, count), undefined);
  assert.equal(entriesOf(entries.subarray(0, -1), 3), undefined);
});

test("checksums are the same by the table", () => {
  fc.assert(fc.property(fc.uint8Array({ maxLength: 100 }), fc.uint8Array(), (a, b) => {
    assert.equal(plainCrc32(b, plainCrc32(a)), crc32(b, crc32(a)));
  }));
  assert.equal(plainCrc32(Buffer.from("123456789")), 0xcbf43926);
});

test("codes have the numbers, names and ends of the protocol", () => {
  const page = readFileSync(new URL("docs/protocol.md", root), "utf8");
  for (let number = 0; number < 20; number++) {
    assert.equal(codeNumber(codeName(number)), number);
    assert.ok(page.includes(`| ${number} | ${codeName(number)} |`));
  }
  assert.equal(codeNumber("code 77"), 77);
  const row = (what) => page.split("\n").filter((line) => line.startsWith("| CLOSE ") && line.endsWith(what) && !line.includes("with a code"))
    .flatMap((line) => line.slice(8, -what.length).split(", "));
  const [again, over] = [row(" | connects again |"), row(" | is over |")];
  assert.equal(again.length + over.length, 20);
  assert.ok(again.every((code) => !isFatal(code)) && over.every(isFatal) && !isFatal("code 99"));
});
