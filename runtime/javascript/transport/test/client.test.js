// The client against a server in this process.
import assert from "node:assert/strict";
import { createServer } from "node:net";
import test from "node:test";
import { Client, TransportError } from "@aldis/transport";
import { codeName, isFatal } from "../src/error.js";
import { bytes, sleep, withFake } from "./fake.js";

const is = (code, text) => (error) => error instanceof TransportError && error.code === code && (text === undefined || error.text === text);

test("messages are batched, and flush waits for their ack", withFake(async (fake) => {
  const marks = [];
  const [client, peer] = await fake.pair({ linger: 30, onAck: (mark) => marks.push(mark) });
  assert.deepEqual(["a", "", "c"].map((text) => client.send(bytes(text))), [1, 2, 3]);
  assert.deepEqual(await peer.batch(), [1, ["a", "", "c"]]);
  await assert.rejects(client.flush({ timeout: 1 }), is("deadline", "3 messages are not acked: the server has not said yet that it has them"));
  const second = client.acked(2);
  peer.ack(3, { durable: 1, duplicates: 5 });
  await client.flush({ timeout: 30_000 });
  await second;
  assert.deepEqual(marks, [{ acked: 3, received: 3, handled: 3, durable: 1, duplicates: 5 }]);
  assert.deepEqual(client.watermarks, marks[0]);
}));

test("another server is tried when one cannot be reached or is lost", withFake(async (first) => {
  await withFake(async (second) => {
    const gone = await new Promise((resolve) => {
      const server = createServer().listen(0, "127.0.0.1", () => {
        const { port } = server.address();
        server.close(() => resolve(port));
      });
    });
    const others = [first, second].map((fake) => ({ host: "127.0.0.1", port: fake.port }));
    const connecting = first.connecting({ host: "127.0.0.1", port: gone, others, durability: "replicated" });
    let peer = await first.accept();
    await peer.greet();
    const client = await connecting;
    client.send(bytes("a"));
    assert.deepEqual(await peer.batch(), [1, ["a"]]);
    peer.socket.destroy();
    peer = await second.accept();
    await peer.greet();
    assert.deepEqual(await peer.batch(), [1, ["a"]]);
    peer.ack(1);
    await client.flush({ timeout: 30_000 });
  })();
}));

test("neither flush nor big batches wait for the linger", withFake(async (fake) => {
  const [client, peer] = await fake.pair({ linger: 3_600_000, batchBytes: 40 });
  for (let i = 0; i < 5; i++) client.send(bytes("0123456789"));
  assert.equal((await peer.batch())[1].length, 3);
  const flushed = client.flush();
  assert.deepEqual(await peer.batch(), [4, ["0123456789", "0123456789"]]);
  peer.ack(5);
  await flushed;
}));

test("credit is kept, and who sends waits while too much is kept", withFake(async (fake) => {
  const credit = { messages: 3, bytes: 1000 };
  const [client, peer] = await fake.pair({ maxKeptBytes: 100, batchBytes: 10_000, linger: 3_600_000 }, 0, { credit });
  const all = (async () => {
    for (let i = 0; i < 50; i++) {
      await client.ready();
      client.send(bytes("0123456789"));
    }
    await client.flush();
  })();
  let [seen, acked] = [0, 0];
  while (seen < 50) {
    const [first, batch] = await peer.batch();
    assert.equal(first, seen + 1);
    seen += batch.length;
    assert.ok(seen - acked <= 3);
    acked = Math.min(seen, acked + 1 + (seen % 3));
    peer.ack(acked, { received: seen, durable: 0, credit });
  }
  peer.ack(50);
  await all;
  while (client.hasRoom) client.send(bytes("0123456789"));
  assert.throws(() => client.send(bytes("")), is("full"));
}));

test("a server that dies at random loses nothing, doubles nothing", withFake(async (fake) => {
  const connecting = fake.connecting({ batchBytes: 200 });
  const total = 3000;
  const log = [];
  let sending;
  for (let round = 0; log.length < total; round++) {
    const peer = await fake.accept();
    await peer.greet(log.length);
    sending ??= connecting.then(async (client) => {
      for (let i = 0; i < total; i++) client.send(bytes(String(i)));
      await client.flush({ timeout: 60_000 });
    });
    for (let step = 0; step <= round % 13 && log.length < total; step++) {
      const [first, batch] = await peer.batch();
      assert.ok(first <= log.length + 1);
      log.push(...batch.slice(log.length + 1 - first));
      if (step % 3 === 0) peer.ack(log.length);
    }
    if (log.length === total) peer.ack(total);
    else if (round % 2 === 0) peer.socket.destroy();
    else peer.socket.resetAndDestroy();
  }
  await sending;
  assert.ok(log.every((text, i) => text === String(i)));
}));

test("NACKs are answered from where they say, and the ninth ends the connection", withFake(async (fake) => {
  let [client, peer] = await fake.pair({ batchBytes: 16 });
  for (let i = 0; i < 4; i++) client.send(bytes("abcd"));
  assert.deepEqual([(await peer.batch())[0], (await peer.batch())[0]], [1, 3]);
  for (let i = 0; i < 8; i++) {
    peer.send({ kind: "nack", expected: 2, code: "gap", text: "again" });
    assert.deepEqual([(await peer.batch())[0], (await peer.batch())[0]], [2, 3]);
  }
  peer.send({ kind: "nack", expected: 2, code: "bad-checksum", text: "again" });
  assert.deepEqual(await peer.read(), { kind: "close", code: "bad-checksum", text: "again" });
  peer = await fake.accept();
  await peer.greet(2);
  assert.equal((await peer.batch())[0], 3);
  peer.ack(4);
  await client.flush();
}));

test("what is refused is tried again, or ends the client", withFake(async (fake) => {
  const told = [];
  const [client, peer] = await fake.pair({ leastBackoff: 20, mostBackoff: 50, onRefused: (...what) => told.push(what) });
  client.send(bytes("a"));
  await peer.batch();
  for (const pause of [20, 40, 50]) {
    const begun = performance.now();
    peer.send({ kind: "nack", expected: 1, code: "refused", text: "not now" });
    assert.equal((await peer.batch())[0], 1);
    assert.ok(performance.now() - begun >= pause - 1);
  }
  assert.deepEqual(told, Array(3).fill([1, "not now"]));
  peer.ack(1);
  await client.flush();

  const [strict, other] = await fake.pair({ retryRefused: false });
  strict.send(bytes("a"));
  await other.batch();
  other.send({ kind: "nack", expected: 1, code: "refused", text: "not today" });
  await assert.rejects(strict.flush(), is("refused", "message 1: not today"));
  assert.equal(strict.state, "over");
  assert.throws(() => strict.send(bytes("b")), is("refused"));
}));

test("CLOSE is told or mended", withFake(async (fake) => {
  let [client, peer] = await fake.pair();
  client.send(bytes("a"));
  const codes = Array.from({ length: 21 }, (_, number) => codeName(number));
  for (const code of codes.filter((code) => !isFatal(code))) {
    assert.equal((await peer.batch())[0], 1, code);
    peer.send({ kind: "close", code, text: "later" });
    peer = await fake.accept();
    await peer.greet();
  }
  for (const code of codes.filter(isFatal)) {
    const [other, end] = await fake.pair();
    other.send(bytes("a"));
    end.send({ kind: "close", code, text: "for good" });
    await assert.rejects(other.flush(), is(code, "for good"));
    assert.equal((await other.over).code, code);
  }
  const first = fake.connecting();
  const refusing = await fake.accept();
  await refusing.read();
  refusing.send({ kind: "close", code: "unavailable", text: "come back later" });
  await assert.rejects(first, is("unavailable"));
  await assert.rejects(Client.connect(fake.options({ port: 1 })), is("disconnected"));
}));

test("what a server may not say ends the connection, with a word", withFake(async (fake) => {
  let [client, peer] = await fake.pair();
  const again = [
    [{ kind: "ack", received: 9, handled: 9, durable: 9, duplicates: 0, credit: { messages: 1, bytes: 1 } }, "protocol"],
    [{ kind: "nack", expected: 5, code: "gap", text: "" }, "protocol"],
    [{ kind: "credit", subscription: 1, consumed: 1, credit: 1 }, "protocol"],
    [{ kind: "push", subscription: 1, first: 1, count: 2, entries: bytes("\0\0\0\0") }, "bad-count"],
  ];
  for (const [frame, code] of again) {
    peer.send(frame);
    assert.equal((await peer.read()).code, code);
    peer = await fake.accept();
    await peer.greet();
  }
  peer.socket.write(Buffer.from([255, 255, 255, 255, 0]));
  assert.equal((await peer.read()).code, "frame-too-large");
  peer = await fake.accept();
  await peer.read();
  peer.send({ kind: "ping", opaque: 1n });
  assert.equal((await peer.read()).code, "protocol");
  peer = await fake.accept();
  await peer.greet(0, { maxFrame: 63 });
  assert.equal((await peer.read()).code, "protocol");
  peer = await fake.accept();
  await peer.greet(1);
  assert.equal((await peer.read()).code, "superseded");
  assert.equal((await client.over).code, "superseded");
  for (const [options, welcome, code] of [
    [{}, { version: 2 }, "version"],
    [{ durability: "durable" }, { durability: "handled" }, "unsupported"],
    [{ checksum: false }, { features: 0 }, "unsupported"],
    [{ schema: { schema: 1, template: 2 } }, { features: 0 }, "unsupported"],
  ]) {
    const refused = fake.connecting(options);
    const server = await fake.accept();
    await server.greet(0, welcome);
    await assert.rejects(refused, is(code));
    assert.equal((await server.read()).code, code);
  }
}));

test("a server that has lost its memory gets what is left in a new epoch", withFake(async (fake) => {
  let [client, peer] = await fake.pair({ epoch: 3 });
  client.send(bytes("a"));
  await peer.batch();
  peer.ack(1);
  await client.flush();
  client.send(bytes("b"));
  await peer.batch();
  peer.socket.destroy();
  peer = await fake.accept();
  await peer.greet(0);
  assert.equal((await peer.read()).code, "unavailable");
  peer = await fake.accept();
  assert.equal((await peer.greet(0)).epoch, 4);
  assert.deepEqual(await peer.batch(), [1, ["b"]]);
  peer.ack(1);
  await client.acked(2);
  assert.deepEqual([client.epoch, client.watermarks.acked], [4, 2]);
}));

test("a message that is held and has no room in the server's frames any more ends the client", withFake(async (fake) => {
  let [client, peer] = await fake.pair();
  assert.throws(() => client.send(new Uint8Array(client.maxMessage + 1)), is("frame-too-large"));
  client.send(new Uint8Array(100));
  await peer.read();
  peer.socket.destroy();
  peer = await fake.accept();
  await peer.greet(0, { maxFrame: 64 });
  assert.equal((await peer.read()).code, "frame-too-large");
  await assert.rejects(client.flush(), is("frame-too-large"));
}));

test("silence is asked, and ends the connection; so does a handshake that takes too long", withFake(async (fake) => {
  let [client, peer] = await fake.pair({ pingAfter: 400 });
  assert.deepEqual(await peer.read(), { kind: "ping", opaque: 0n });
  peer.send({ kind: "pong", opaque: 0n });
  assert.equal((await peer.read()).kind, "ping");
  assert.equal((await peer.read()).code, "idle");
  peer = await fake.accept();
  await peer.greet();
  peer.send({ kind: "ping", opaque: 7n });
  assert.deepEqual(await peer.read(), { kind: "pong", opaque: 7n });
  client.close();
  assert.equal((await peer.read()).code, "normal");
  await assert.rejects(fake.connecting({ connectTimeout: 30 }), is("idle"));
}));

test("requests go both ways", withFake(async (fake) => {
  const onRequest = async (asked) => {
    if (String(asked) === "no") throw new TransportError("refused", "nö");
    if (String(asked) === "boom") throw new Error("boom");
    return String(asked) === "long" ? new Uint8Array(2 ** 20) : bytes(`${asked}!`);
  };
  const [client, peer] = await fake.pair({ onRequest });
  const answer = client.request(bytes("price?"), { timeout: 5000 });
  const asked = await peer.read();
  assert.deepEqual([asked.kind, String(asked.bytes), asked.deadline], ["request", "price?", 5000]);
  peer.send({ kind: "reply", correlation: asked.correlation, code: "normal", bytes: bytes("7") });
  assert.equal(String(await answer), "7");
  const refused = client.request(bytes("?"));
  peer.send({ kind: "reply", correlation: (await peer.read()).correlation, code: "refused", bytes: bytes("nö") });
  await assert.rejects(refused, is("refused", "nö"));
  await assert.rejects(client.request(bytes("?"), { timeout: 20 }), is("deadline"));
  await peer.read();
  for (const [question, code, text] of [
    ["a", "normal", "a!"], ["no", "refused", "nö"], ["boom", "handler", "boom"],
    ["long", "frame-too-large", `an answer of ${2 ** 20} bytes; a frame takes ${2 ** 20 - 13}`],
  ]) {
    peer.send({ kind: "request", correlation: 2n ** 63n, deadline: 0, bytes: bytes(question) });
    assert.deepEqual(await peer.read(), { kind: "reply", correlation: 2n ** 63n, code, bytes: bytes(text) });
  }
  const pending = client.request(bytes("?"));
  peer.socket.destroy();
  await assert.rejects(pending, is("disconnected"));
  await assert.rejects(client.request(bytes("?")), is("disconnected"));
}));

test("subscriptions outlive connections, and credit is granted as messages come", withFake(async (fake) => {
  let [client, peer] = await fake.pair();
  const got = [];
  const ended = [];
  const onPush = (first, messages) => messages.forEach((message, i) => got.push([first + i, String(message)]));
  const id = client.subscribe({ topic: "log", from: 5, credit: 4, onPush, onEnd: (why) => ended.push(why.code) });
  assert.deepEqual(await peer.read(), { kind: "subscribe", subscription: id, from: 5, credit: 4, topic: "log" });
  const entry = (text) => Buffer.concat([Buffer.from([text.length, 0, 0, 0]), bytes(text)]);
  peer.send({ kind: "push", subscription: id, first: 5, count: 1, entries: entry("a") });
  peer.send({ kind: "push", subscription: id, first: 6, count: 2, entries: Buffer.concat([entry("b"), entry("c")]) });
  assert.deepEqual(await peer.read(), { kind: "credit", subscription: id, consumed: 7, credit: 4 });
  peer.socket.destroy();
  peer = await fake.accept();
  await peer.greet();
  assert.equal((await peer.read()).from, 8);
  peer.send({ kind: "push", subscription: id, first: 7, count: 2, entries: Buffer.concat([entry("c"), entry("d")]) });
  peer.send({ kind: "unsubscribe", subscription: id, code: "refused", text: "no" });
  while (ended.length === 0) await sleep(5);
  assert.deepEqual(got, [[5, "a"], [6, "b"], [7, "c"], [8, "d"]]);
  assert.deepEqual(ended, ["refused"]);
  assert.throws(() => client.subscribe({ topic: "x".repeat(1025), onPush }), is("misused"));
  assert.throws(() => client.subscribe({ topic: "log", credit: 0, onPush }), is("misused"));
}));

test("draining goes both ways", withFake(async (fake) => {
  const states = [];
  let [client, peer] = await fake.pair({ onState: (state, why) => states.push([state, why?.code]) });
  peer.send({ kind: "drain", milliseconds: 500 });
  assert.deepEqual(await peer.read(), { kind: "drain", milliseconds: 500 });
  client.send(bytes("a"));
  peer.send({ kind: "close", code: "normal", text: "" });
  peer = await fake.accept();
  await peer.greet();
  await peer.batch();
  const drained = client.drain();
  peer.ack(1);
  assert.equal((await peer.read()).kind, "drain");
  assert.throws(() => client.send(bytes("b")), is("closed"));
  peer.send({ kind: "close", code: "normal", text: "" });
  await drained;
  assert.equal((await client.over).text, "drained");
  assert.deepEqual(states, [["ready", undefined], ["draining", "draining"], ["connecting", "normal"], ["ready", undefined], ["over", "normal"]]);
}));

test("what is no option is told", async () => {
  const wrong = [
    { port: 0 }, { producer: new Uint8Array(3) }, { durability: "kept" }, { auth: { method: "x".repeat(256) } }, { linger: NaN },
    { window: { messages: -1, bytes: 0 } }, { window: { messages: 1 } }, { window: null }, { schema: null },
    { schema: { schema: 1, template: 2 ** 32 } }, { schema: { schema: 1.5, template: 1 } }, { host: 7 },
    { tls: { certificate: "no certificate" } }, { tls: { key: "no key" } },
  ];
  for (const more of wrong) {
    const options = { port: 1, ...more };
    await assert.rejects(Client.connect(options), is("misused"));
  }
});

test("what cannot be asked is told at once, and leaves the client as it was", withFake(async (fake) => {
  let [client, peer] = await fake.pair();
  const onPush = () => {};
  for (const more of [{ from: -1 }, { from: 1.5 }, { from: 2 ** 53 }, { credit: 1.5 }, { credit: 2 ** 32 }, { topic: 7 }, { onPush: 1 }]) {
    assert.throws(() => client.subscribe({ topic: "log", onPush, ...more }), is("misused"), JSON.stringify(more));
  }
  for (const asked of ["text", undefined, [1]]) await assert.rejects(client.request(asked), is("misused"));
  for (const timeout of [-1, NaN]) {
    await assert.rejects(client.request(bytes("?"), { timeout }), is("misused"));
    await assert.rejects(client.flush({ timeout }), is("misused"));
    await assert.rejects(client.drain({ timeout }), is("misused"));
  }
  const id = client.subscribe({ topic: "log", from: 2 ** 53 - 1, credit: 2 ** 32 - 1, onPush });
  assert.equal((await peer.read()).subscription, id);
  peer.socket.destroy();
  peer = await fake.accept();
  await peer.greet();
  assert.deepEqual(await peer.read(), { kind: "subscribe", subscription: id, from: 2 ** 53 - 1, credit: 2 ** 32 - 1, topic: "log" });
}));

test("an error that nobody foresaw ends the client, not the process", withFake(async (fake) => {
  const [client, peer] = await fake.pair({ onRequest: () => { throw new TransportError(`code ${2 ** 33}`); } });
  peer.send({ kind: "request", correlation: 1n, deadline: 0, bytes: bytes("?") });
  assert.equal((await peer.read()).kind, "close");
  const why = await client.over;
  assert.equal(why.code, "misused");
  assert.ok(why.cause instanceof RangeError);
}));

test("times without an end are long ones", withFake(async (fake) => {
  const [client, peer] = await fake.pair({ connectTimeout: Infinity, pingAfter: Infinity, mostBackoff: Infinity, linger: 2 ** 40 });
  const drained = client.drain({ timeout: Infinity });
  assert.deepEqual(await peer.read(), { kind: "drain", milliseconds: 2 ** 32 - 1 });
  peer.send({ kind: "close", code: "normal", text: "" });
  await drained;
}));

test("a server that does not read its answers asks no more, and is answered when it reads", withFake(async (fake) => {
  const total = 6000;
  let asked = 0;
  const answer = new Uint8Array(10_000);
  const [, peer] = await fake.pair({ onRequest: () => (asked++, answer) });
  peer.socket.pause();
  for (let i = 0; i < total; i++) peer.send({ kind: "request", correlation: BigInt(i), deadline: 0, bytes: answer });
  for (let before = -1; asked !== before; await sleep(200)) before = asked;
  assert.ok(asked < total / 2, `${asked} answers were made for nobody`);
  peer.socket.resume();
  for (let i = 0; i < total; i++) assert.equal((await peer.read()).correlation, BigInt(i));
}));

test("no timer runs out again and again while the socket takes nothing", withFake(async (fake) => {
  const [client, peer] = await fake.pair();
  peer.socket.pause();
  for (let i = 0; i < 40; i++) client.request(new Uint8Array(1_000_000)).catch(() => {});
  client.send(bytes("lingers"));
  await sleep(50);
  const { setTimeout } = globalThis;
  let timers = 0;
  globalThis.setTimeout = (...given) => (timers++, setTimeout(...given));
  await sleep(100);
  globalThis.setTimeout = setTimeout;
  peer.socket.resume();
  assert.ok(timers < 10, `${timers} timers`);
}));
