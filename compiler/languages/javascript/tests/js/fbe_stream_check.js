// Streams that FBE's own sender wrote, into generated receivers and out of generated senders. The argument is the folder of golden
// messages.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { CodecError } from "@aldis/codec";
import { StreamError } from "@aldis/codec/stream";
import { howeverCut } from "./cut.js";
import * as proto from "./proto_stream.js";

const folder = process.argv[2];
const file = (name) => Uint8Array.from(readFileSync(`${folder}/${name}`));
const stream = file("stream_proto.stream.bin");

for (const [bytes, receiver, sender] of [
  [stream, proto.receiver, proto.sender],
  [file("stream_proto_final.stream.bin"), proto.receiverFinal, proto.senderFinal],
]) {
  const seen = [];
  const out = sender();
  for await (const any of receiver().read([bytes])) {
    seen.push(any);
    out.send(any.message, any.value);
  }
  assert.deepEqual(out.take(), bytes);
  assert.equal(out.size, 0);
  const named = (name) => seen.filter((any) => any.message === name).map((any) => any.value);
  assert.equal(named("proto.OrderMessage")[0].body.symbol, "EURUSD");
  assert.equal(named("proto.AccountMessage")[0].body.orders.length, 3);
  await howeverCut(bytes, receiver, seen);
}

const counts = { known: 0, other: [] };
const handlers = { "proto.OrderMessage": () => counts.known++ };
const other = (name, bytes) => counts.other.push([name, bytes.length]);
proto.receiver().feed(stream, handlers, other);
assert.equal(counts.known, 1);
assert.deepEqual(counts.other.map(([name]) => name), ["proto.BalanceMessage", "proto.AccountMessage"]);

// The first message's size, then its type.
const unknown = Uint8Array.from(stream);
unknown[12] = 77;
const strict = proto.receiver();
const text = "bad-message at byte 0 of the stream: unknown-message at byte 12";
const isUnknown = (error) => error instanceof StreamError && error.cause instanceof CodecError && error.message === text;
assert.throws(() => strict.feed(unknown, handlers), isUnknown);
assert.throws(() => strict.feed(stream, handlers), isUnknown);
assert.throws(() => strict.finish(), isUnknown);
counts.other = [];
proto.receiver().feed(unknown, handlers, other);
assert.deepEqual(counts.other[0], [null, unknown[0]]);
const names = async (unknowns) => {
  const found = [];
  for await (const { message } of proto.receiver("fbe", { unknown: unknowns }).read([unknown])) found.push(message);
  return found;
};
const rest = ["proto.BalanceMessage", "proto.AccountMessage"];
assert.deepEqual(await names("skip"), rest);
assert.deepEqual(await names("keep"), [null, ...rest]);
await assert.rejects(names("stop"), isUnknown);
assert.throws(() => proto.receiver("fbe", { unknown: "drop" }), TypeError);

const damaged = Uint8Array.from(stream);
damaged[8] = 0xff;
assert.throws(() => proto.receiver().feed(damaged, handlers), { code: "bad-message", offset: 0 });
proto.receiver().feed(damaged, {});
assert.throws(() => proto.receiver("fbe", { maxFrame: 60 }).feed(stream, handlers), { code: "frame-too-large", bound: 60 });
assert.throws(() => proto.sender().send("proto.OrderMessage", {}), CodecError);
assert.throws(() => proto.sender().send("toString", {}), TypeError);

// In one buffer of the reference's a root counts from the buffer's begin.
const shared = proto.sender("fbe-buffer");
const seen = [];
for await (const any of proto.receiver().read([stream])) {
  seen.push(any);
  shared.send(any.message, any.value);
}
const buffer = shared.take();
assert.notDeepEqual(buffer, stream);
await howeverCut(buffer, () => proto.receiver("fbe-buffer"), seen);
assert.throws(() => proto.receiver("fbe-buffer").feed(stream, { "proto.AccountMessage": () => {} }), { code: "bad-root" });
assert.throws(() => proto.receiverFinal("fbe-buffer"), TypeError);
