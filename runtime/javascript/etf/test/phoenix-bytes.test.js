// Bytes inside of payloads, with the real npm phoenix client's codec and order of messages.
import assert from "node:assert/strict";
import { test } from "node:test";
import { LongPoll, Socket } from "phoenix";
import { decode as decodeTerm, encode as encodeTerm, EtfError } from "@aldis/etf";
import { etf, longPoll } from "@aldis/etf/phoenix";

const data = Uint8Array.of(0, 255, 131);
const plain = () => new Socket("ws://localhost/socket", { transport: class {} });
const message = (payload) => ({ join_ref: "1", ref: "2", topic: "t", event: "e", payload });
const base64 = (bytes) => Buffer.from(bytes).toString("base64");

function frameOf(options, payload, socket = plain()) {
  let frame;
  etf(options).encode.call(socket, message(payload), (made) => (frame = made));
  return frame;
}

test("terms carry bytes wherever they are, auto sends terms for these alone", () => {
  const payloads = [
    { image: data }, { image: data.buffer }, { deep: [{ list: [1, data] }] }, { map: new Map([["a", data]]) }, { set: new Set([data]) },
    { buffer: Buffer.from(data) },
  ];
  for (const up of ["auto", "etf"]) {
    for (const payload of payloads) assert.deepEqual(decodeTerm(frameOf({ up }, payload))[4], decodeTerm(encodeTerm(payload)));
  }
  for (const payload of [{}, { a: [1, null, "x", new Date(0)] }, { n: new Float32Array(1) }]) {
    assert.equal(typeof frameOf({ up: "auto" }, payload), "string");
    assert.equal(typeof frameOf({ up: "json" }, payload), "string");
  }
  const shared = { a: 1 };
  const loop = { shared, again: shared };
  loop.self = loop;
  assert.throws(() => frameOf({ up: "auto" }, loop), TypeError);
  // Objects that are shared are looked at once, not 2^200 times.
  let wide = {};
  for (let i = 0; i < 200; i++) wide = { a: wide, b: wide };
  assert.throws(() => frameOf({ up: "auto" }, { image: Promise.resolve(data), wide, last: data }), EtfError);
});

test("bytes over JSON throw where they are pushed, instead of arriving as an object of indices", () => {
  for (const payload of [{ image: data }, { a: [data.buffer] }]) {
    assert.throws(() => frameOf({}, payload), (error) => error instanceof TypeError && /up: "auto"/.test(error.message));
  }
});

test("a payload that is bytes is a binary frame in all modes", () => {
  const expected = [0, 1, 1, 1, 1, 49, 50, 116, 101, 0, 255, 131];
  const inside = new DataView(Uint8Array.from([9, 0, 255, 131, 9]).buffer, 1, 3);
  for (const up of ["json", "auto", "etf"]) {
    for (const payload of [data, data.buffer, inside, Buffer.from(data)]) assert.deepEqual([...new Uint8Array(frameOf({ up }, payload))], expected);
  }
});

test("Blobs are read first, and messages keep their order", async () => {
  const socket = plain();
  const codec = etf({ up: "auto" });
  const sent = [];
  const push = (payload, event) => codec.encode.call(socket, { ...message(payload), event }, (frame) => sent.push([event, frame]));
  push({ n: 1 }, "before");
  assert.equal(sent.length, 1);
  push({ file: new Blob([data, data]).slice(1, 4), list: [new Blob([])], at: new Date(0), map: new Map([["k", new Blob(["a"])]]) }, "blob");
  push({ n: 2 }, "after");
  push(new Blob([data]), "whole");
  assert.equal(sent.length, 1);
  await new Promise((done) => setTimeout(done, 50));
  assert.deepEqual(sent.map(([event]) => event), ["before", "blob", "after", "whole"]);
  const payload = decodeTerm(sent[1][1])[4];
  assert.deepEqual(payload, { file: Uint8Array.of(255, 131, 0), list: [new Uint8Array()], at: "1970-01-01T00:00:00.000Z", map: { k: Uint8Array.of(97) } });
  assert.equal(typeof sent[2][1], "string");
  assert.deepEqual([...new Uint8Array(sent[3][1])].slice(-3), [...data]);
  // Nobody waits any more.
  push({ n: 3 }, "later");
  assert.equal(sent.length, 5);
});

test("a Blob that cannot be read is an uncaught error, and what comes after it is sent", async (t) => {
  const socket = plain();
  const sent = [];
  const broken = new Blob(["x"]);
  broken.arrayBuffer = () => Promise.reject(new Error("gone"));
  const tasks = [];
  t.mock.method(globalThis, "setTimeout", (task) => tasks.push(task));
  const codec = etf({ up: "auto" });
  codec.encode.call(socket, message({ broken }), assert.fail);
  codec.encode.call(socket, message({ n: 1 }), (frame) => sent.push(frame));
  for (let i = 0; i < 20 && sent.length === 0; i++) await new Promise((done) => setImmediate(done));
  assert.equal(tasks.length, 1);
  assert.throws(tasks[0], /gone/);
  assert.equal(sent.length, 1);
});

test("bytes of the server are views of the frame", () => {
  const frame = encodeTerm([null, null, "t", "e", { image: data }]).buffer;
  etf().decode.call(plain(), frame, ({ payload }) => {
    assert.deepEqual(payload.image, data);
    assert.equal(payload.image.buffer, frame);
  });
});

test("long polling: frames come in base64, and terms go for bytes alone", () => {
  const seen = [];
  const decode = (raw) => etf().decode.call(plain(), raw, (read) => seen.push(read));
  decode(base64(encodeTerm(["1", null, "t", "e", { image: data }])));
  decode(base64([2, 1, 1, 116, 101, 7]));
  decode('["1",null,"t","e",{"text":1}]');
  assert.deepEqual(seen.map(({ payload }) => payload), [{ image: data }, Uint8Array.of(7).buffer, { text: 1 }]);
  for (const [raw, code] of [["{}", "bad_frame"], ["", "bad_frame"], ["AAA*", "bad_frame"], ["g2o=", "bad_frame"], ["g1AAAAAB", "bad_tag"]]) {
    assert.throws(() => decode(raw), (error) => error instanceof EtfError && error.code === code, raw);
  }
  const polling = { transport: LongPoll, getLongPollTransport: () => LongPoll, defaultEncoder: plain().defaultEncoder };
  assert.equal(typeof frameOf({ up: "etf" }, { a: 1 }, polling), "string");
  assert.deepEqual(decodeTerm(frameOf({ up: "etf" }, { a: data }, polling))[4], { a: data });
});

test("longPoll keeps the codec of a socket that polls from the start", () => {
  const options = etf({ up: "etf" });
  const polls = new Socket("http://localhost/socket", { ...options, transport: longPoll(LongPoll) });
  assert.equal(polls.decode, options.decode);
  assert.equal(polls.encode, options.encode);
  // phoenix.js itself leaves it to JSON.
  assert.notEqual(new Socket("http://localhost/socket", { ...options, transport: LongPoll }).decode, options.decode);
});
