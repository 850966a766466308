import assert from "node:assert/strict";
import test from "node:test";
import fc from "fast-check";
import { FrameReceiver, FrameSender, StreamError } from "@aldis/codec/stream";

const bytes = (...list) => Uint8Array.from(list);
const hex = (b) => Buffer.from(b).toString("hex");
const fed = (framing, chunks, options) => {
  const found = [];
  const receiver = new FrameReceiver(framing, options);
  for (const chunk of chunks) receiver.feed(chunk, (message) => found.push(message));
  return [found, receiver];
};

// Two segments of one word each, then a message of one.
const SEGMENTS = "01000000010000000100000000000000" + "0102030405060708" + "1112131415161718" + "0000000001000000aaaaaaaaaaaaaaaa";

test("frames are as the framings say", () => {
  const message = bytes(8, 0, 0, 0, 1, 2, 3, 4);
  const cases = {
    u16le: "0800", u16be: "0008", u32le: "08000000", u32be: "00000008", sofh: "0000000eeb50", fbe: "", capnp: "", "capnp-packed": "",
  };
  for (const [framing, head] of Object.entries(cases)) {
    const out = new FrameSender(framing);
    out.send(message);
    assert.equal(out.offset, head.length / 2 + 8);
    assert.equal(hex(out.take()), head + hex(message));
    assert.equal(out.take().length, 0);
  }
  const own = { at: 1, bits: 16, order: "big", least: 4 };
  assert.deepEqual(fed(own, [bytes(9, 0, 4, 9, 8, 0, 5)])[0], [bytes(9, 0, 4, 9)]);
  assert.throws(() => fed(own, [bytes(9, 0, 3, 9)]), { code: "frame-too-small", size: 3, bound: 4 });
  assert.throws(() => new FrameSender("u16le").send(new Uint8Array(65536)), { code: "frame-too-large", bound: 65535 });
  assert.throws(() => new FrameReceiver("u24le"), TypeError);
  assert.throws(() => new FrameReceiver("__proto__"), TypeError);
  assert.throws(() => new FrameReceiver({ bits: 24 }), TypeError);
});

test("messages of segments end where their table says", () => {
  const stream = Buffer.from(SEGMENTS, "hex");
  const sizes = [16 + 16, 8 + 8];
  for (let cut = 0; cut <= stream.length; cut++) {
    const [found, receiver] = fed("capnp", [stream.subarray(0, cut), stream.subarray(cut)]);
    assert.deepEqual(found.map((message) => message.length), sizes);
    assert.equal(receiver.rest.length, 0);
  }
  assert.throws(() => fed("capnp", [bytes(0xff, 1, 0, 0)]), { code: "too-many-segments", size: 512, bound: 511 });
  assert.throws(() => fed("capnp", [bytes(0, 0, 0, 0, 255, 255, 255, 255)]), { code: "frame-too-large", size: 8 + 8 * (2 ** 32 - 1) });
});

test("packed messages end where their words do", () => {
  // One segment: of no word; of three, the last two zero; of two, dense; of one that is neither.
  const messages = ["0000", "10030103" + "0001", "1002ff0102030405060708011112131415161718", "10010c0304"].map((text) => Buffer.from(text, "hex"));
  const stream = Buffer.concat(messages);
  for (let cut = 0; cut <= stream.length; cut++) {
    const [found] = fed("capnp-packed", [stream.subarray(0, cut), stream.subarray(cut)]);
    assert.deepEqual(found.map(hex), messages.map(hex));
  }
  const [found] = fed("capnp-packed", Array.from(stream, (byte) => bytes(byte)));
  assert.deepEqual(found.map(hex), messages.map(hex));
  assert.throws(() => fed("capnp-packed", [bytes(0x10, 1, 0, 1)]), { code: "bad-packing" });
  assert.throws(() => fed("capnp-packed", [bytes(0x10, 9)], { maxFrame: 72 }), { code: "frame-too-large", size: 80, bound: 72 });
});

test("a packed message in two chunks is copied a few times, however many groups it has", () => {
  // One segment of 32,000 words, each of which has one byte that is not zero.
  const packed = new Uint8Array(2 + 2 * 32_000).fill(1);
  packed.set([0x20, 32_000 >> 8]);
  const typed = Object.getPrototypeOf(Uint8Array.prototype);
  const { set } = typed;
  let copied = 0;
  typed.set = function (from, at) {
    copied += from.length;
    set.call(this, from, at);
  };
  try {
    assert.deepEqual(fed("capnp-packed", [packed.subarray(0, 100), packed.subarray(100)])[0], [packed]);
  } finally {
    typed.set = set;
  }
  assert.ok(copied < 4 * packed.length, `${copied} bytes of ${packed.length} were copied`);
});

test("a stream is the same however it is cut", async () => {
  const pieces = fc.array(fc.uint8Array({ maxLength: 300 }), { maxLength: 10 });
  const framings = fc.constantFrom("u16le", "u16be", "u32le", "u32be", "sofh");
  await fc.assert(
    fc.asyncProperty(pieces, framings, fc.array(fc.nat(2000)), async (messages, framing, cuts) => {
      const out = new FrameSender(framing);
      messages.forEach((message) => out.send(message));
      const stream = out.take();
      const chunks = [0, ...cuts.sort((a, b) => a - b)].map((from, i, all) => stream.subarray(from, all[i + 1]));
      assert.deepEqual(fed(framing, chunks)[0], messages);
      const read = [];
      for await (const message of new FrameReceiver(framing).read(chunks)) read.push(message);
      assert.deepEqual(read, messages);
    }),
  );
});

test("a broken frame ends the stream, with all before it", async () => {
  const receiver = new FrameReceiver("u16le", { maxFrame: 100 });
  const found = [];
  const broken = bytes(1, 0, 7, 255, 0);
  assert.throws(() => receiver.feed(broken, (message) => found.push(message)), (error) => {
    assert.ok(error instanceof StreamError);
    assert.equal(error.message, "frame-too-large at byte 3 of the stream: 257, at most 100");
    return true;
  });
  assert.deepEqual(found, [bytes(7)]);
  assert.throws(() => receiver.feed(bytes(0, 0), () => assert.fail()), { offset: 3 });
  await assert.rejects(
    async () => {
      for await (const message of new FrameReceiver("u16le").read([bytes(2, 0, 1)])) assert.fail(message);
    },
    { code: "cut", offset: 0, size: 3 },
  );
});

test("where a handler throws, the stream goes on behind its message", () => {
  const receiver = new FrameReceiver("u16le");
  const chunk = bytes(1, 0, 1, 1, 0, 2, 1, 0);
  assert.throws(() => receiver.feed(chunk, () => { throw new Error("no"); }), /no/);
  chunk.fill(255);
  const found = [];
  receiver.feed(bytes(3), (message) => found.push([...message]));
  assert.deepEqual(found, [[2], [3]]);
  assert.throws(() => receiver.feed(bytes(1, 0, 1), () => receiver.feed(bytes(0), () => {})), /must not feed/);
  assert.throws(() => receiver.feed([1], () => {}), TypeError);
});

test("a source is told that nobody reads it any more", async () => {
  let cancelled = false;
  const stream = new ReadableStream({
    pull: (controller) => controller.enqueue(bytes(1, 0, 9)),
    cancel: () => (cancelled = true),
  });
  // As in browsers that cannot iterate one.
  const source = { getReader: () => stream.getReader() };
  for await (const message of new FrameReceiver("u16le").read(source)) {
    assert.deepEqual(message, bytes(9));
    break;
  }
  assert.ok(cancelled);
  await assert.rejects(async () => {
    for await (const _ of new FrameReceiver("u16le").read(5));
  }, TypeError);
});

test("bytes one by one take time by their number, and memory by what has come", () => {
  const receiver = new FrameReceiver("u32le");
  // A frame of 60 MB is claimed, 2 MB come.
  const before = process.memoryUsage().arrayBuffers;
  receiver.feed(bytes(0, 135, 147, 3), () => assert.fail());
  assert.ok(process.memoryUsage().arrayBuffers - before < 2 ** 20);
  const one = bytes(1);
  const begun = performance.now();
  for (let i = 0; i < 2_000_000; i++) receiver.feed(one, () => assert.fail());
  assert.ok(performance.now() - begun < 5000);
  assert.ok(process.memoryUsage().arrayBuffers - before < 16 * 2 ** 20);
});
