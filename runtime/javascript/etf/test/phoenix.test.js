// The real npm phoenix client over a transport of our own, so that each frame can be seen and made.
import assert from "node:assert/strict";
import { test } from "node:test";
import { LongPoll, Socket } from "phoenix";
import { decode as decodeTerm, encode as encodeTerm, EtfError } from "@aldis/etf";
import * as defaults from "@aldis/etf/phoenix";
import { etf } from "@aldis/etf/phoenix";

const plain = new Socket("ws://localhost/socket", { transport: class {} });
const arrayBuffer = (bytes) => Uint8Array.from(bytes).buffer;
const utf8 = (text) => [...Buffer.from(text)];

/** A connected socket; `sent` are its frames, and `receive` hands it one. */
async function connect(options) {
  const sent = [];
  let connection;
  class Transport {
    constructor(url) {
      this.url = url;
      this.readyState = 0;
      connection = this;
      queueMicrotask(() => { this.readyState = 1; this.onopen(); });
    }
    send(frame) { sent.push(frame); }
    close() { this.readyState = 3; this.onclose?.({ code: 1000 }); }
  }
  const socket = new Socket("ws://localhost/socket", { transport: Transport, heartbeatIntervalMs: 1e6, ...options });
  socket.connect();
  await new Promise((done) => socket.onOpen(done));
  const receive = (frame) => connection.onmessage({ data: frame });
  return { socket, sent, receive, url: connection.url, close: () => socket.disconnect() };
}

const message = (list) => encodeTerm(list).buffer;

for (const up of ["json", "etf"]) {
  test(`join, push, reply, broadcast and leave, ${up} to the server`, async () => {
    const { socket, sent, receive, url, close } = await connect(etf({ up }));
    assert.match(url, /vsn=3\.0\.0/);
    const channel = socket.channel("room:\u00e9", { redirect: undefined, at: new Date(0) });
    const seen = [];
    channel.join().receive("ok", (response) => seen.push(["joined", response]));
    const read = (frame) => (up === "json" ? JSON.parse(frame) : decodeTerm(frame));
    const [joinRef, ref, ...join] = read(sent[0]);
    assert.deepEqual(join, ["room:\u00e9", "phx_join", { at: "1970-01-01T00:00:00.000Z" }]);
    assert.equal(joinRef, ref);
    receive(message([joinRef, ref, "room:\u00e9", "phx_reply", { status: "ok", response: { n: 1 } }]));
    channel.on("news", (payload) => seen.push(["news", payload]));
    receive(message([null, null, "room:\u00e9", "news", { broadcast: true }]));
    receive(message([joinRef, null, "room:\u00e9", "news", { push: true }]));
    receive(message(["99", null, "room:\u00e9", "news", { outdated: true }]));
    channel.push("ask", { a: [1, 2.5] }).receive("error", (response) => seen.push(["refused", response]));
    const [, askRef, , event, payload] = read(sent[1]);
    assert.deepEqual([event, payload], ["ask", { a: [1, 2.5] }]);
    receive(message([joinRef, askRef, "room:\u00e9", "phx_reply", { status: "error", response: {} }]));
    assert.deepEqual(seen, [["joined", { n: 1 }], ["news", { broadcast: true }], ["news", { push: true }], ["refused", {}]]);
    close();
  });
}

test("heartbeats have no join_ref and are matched by their ref", async () => {
  const { socket, sent, receive, close } = await connect(etf({ up: "etf" }));
  socket.sendHeartbeat();
  const [joinRef, ref, topic, event, payload] = decodeTerm(sent[0]);
  assert.deepEqual([joinRef, topic, event, payload], [null, "phoenix", "heartbeat", {}]);
  assert.equal(socket.pendingHeartbeatRef, ref);
  receive(message([null, ref, "phoenix", "phx_reply", { status: "ok", response: {} }]));
  assert.equal(socket.pendingHeartbeatRef, null);
  close();
});

test("a server that answers in JSON is understood", async () => {
  const { socket, receive, close } = await connect(etf());
  const seen = [];
  socket.onMessage((received) => seen.push(received.payload));
  receive(JSON.stringify([null, null, "a", "b", { text: 1 }]));
  assert.deepEqual(seen, [{ text: 1 }]);
  close();
});

test("binary pushes are V2 frames in both modes, as the client's own for ASCII, in UTF-8 for all", async () => {
  for (const up of ["json", "etf"]) {
    const { socket, sent, close } = await connect(etf({ up }));
    const channel = socket.channel("lvu:0", {});
    channel.join();
    channel.joinPush.trigger("ok", {});
    channel.push("chunk", arrayBuffer([1, 2, 3]));
    const pushed = { join_ref: channel.joinRef(), ref: String(socket.ref), topic: "lvu:0", event: "chunk", payload: arrayBuffer([1, 2, 3]) };
    plain.defaultEncoder(pushed, (frame) => assert.deepEqual(sent[1], frame));
    close();
  }
  etf().encode.call(plain, { topic: "\u00e9", event: "e", payload: arrayBuffer([9]) }, (frame) => {
    assert.deepEqual([...new Uint8Array(frame)], [0, 0, 0, 2, 1, 0xc3, 0xa9, 101, 9]);
  });
  const long = { join_ref: "1", ref: "2", topic: "t".repeat(256), event: "e", payload: arrayBuffer([]) };
  assert.throws(() => etf().encode.call(plain, long, assert.fail), /topic takes 256 bytes/);
});

test("V2 frames of the server are read as the client's own decoder reads them", () => {
  const frames = [
    [0, 1, 3, 2, ...utf8("4a:bev"), 1, 2, 3],
    [0, 0, 0, 0],
    [1, 1, 2, 1, 2, ...utf8("417tok"), 255],
    [1, 0, 1, 1, 5, ...utf8("7terror")],
    [2, 4, 1, ...utf8("t\u20ace"), 0, 131],
  ];
  for (const frame of frames) {
    const raw = arrayBuffer(frame);
    etf().decode.call(plain, raw, (read) => {
      plain.defaultDecoder(raw, (expected) => assert.deepEqual(read, expected));
      assert.notEqual(read.payload.response ?? read.payload, raw);
    });
  }
});

test("wrong frames throw an EtfError and reach no callback", () => {
  const wrong = {
    truncated: [[], [0], [0, 1, 1], [1, 0, 0, 0, 9, 1], [2, 1, 200, 97], [2]],
    bad_frame: [[3, 0, 0], [132, 106], [131, 106], [131, 97, 1], [...encodeTerm([1, 2, 3, 4])], [...encodeTerm({ a: 1 })]],
    bad_utf8: [[2, 1, 1, 255, 97, 1]],
    bad_tag: [[131, 80, 0, 0, 0, 1]],
    trailing_bytes: [[...encodeTerm([null, null, "t", "e", {}]), 0]],
  };
  for (const [code, frames] of Object.entries(wrong)) {
    for (const frame of frames) {
      assert.throws(() => etf().decode.call(plain, arrayBuffer(frame), assert.fail),
        (error) => error instanceof EtfError && error.code === (frame.length === 0 ? "bad_frame" : code), `${code} ${frame}`);
    }
  }
});

test("over long polling the socket's own encoder is used, also after a fallback", () => {
  const own = { ...etf({ up: "etf" }), getLongPollTransport: () => LongPoll, transport: LongPoll };
  own.defaultEncoder = plain.defaultEncoder;
  const pushed = { join_ref: "1", ref: "2", topic: "t", event: "e", payload: { a: 1 } };
  own.encode(pushed, (frame) => assert.equal(frame, '["1","2","t","e",{"a":1}]'));
  const binary = { ...pushed, payload: arrayBuffer([1]) };
  own.encode(binary, (frame) => plain.defaultEncoder(binary, (expected) => assert.deepEqual(frame, expected)));
  own.transport = class WebSocket {};
  own.encode(pushed, (frame) => assert.deepEqual(decodeTerm(frame), ["1", "2", "t", "e", { a: 1 }]));
  const started = new Socket("http://localhost/socket", { transport: LongPoll, ...etf({ up: "etf" }) });
  started.encode(pushed, (frame) => assert.equal(typeof frame, "string"));
});

test("decode's options go through; others are refused", () => {
  const frame = arrayBuffer(encodeTerm([null, null, "t", "e", { n: 2n ** 60n }], { bigint: "integer" }));
  etf({ integers: "bigint" }).decode.call(plain, frame, ({ payload }) => assert.equal(payload.n, 2n ** 60n));
  for (const options of [{ up: "text" }, { integers: "none" }, { maxDepth: 0 }, { up: "etf", bigint: true }]) {
    assert.throws(() => etf(options), TypeError);
  }
  etf({ up: "etf", bigint: "integer" }).encode.call(plain, { topic: "t", event: "e", payload: { n: 2n ** 60n } }, (sent) => {
    assert.deepEqual(decodeTerm(sent, { integers: "bigint" }), [null, null, "t", "e", { n: 2n ** 60n }]);
  });
  assert.equal(etf({ vsn: "3.1.0" }).vsn, "3.1.0");
  assert.equal(defaults.vsn, "3.0.0");
  defaults.decode.call(plain, frame, ({ payload }) => assert.equal(payload.n, 2 ** 60));
  defaults.encode.call(plain, { topic: "t", event: "e", payload: {} }, (sent) => assert.equal(typeof sent, "string"));
});
