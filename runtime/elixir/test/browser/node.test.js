import { test, before, after } from "node:test";
import assert from "node:assert/strict";
import { Socket } from "phoenix";
import { etf } from "../../../javascript/etf/src/phoenix.js";
import { startServer } from "./server.js";
import { MODES, POLLED, push, join, next, bytes, crc32 } from "./scenarios.js";
// Node 20 has no WebSocket.
import { NodeWebSocket } from "./websocket.js";

let server;
before(async () => (server = await startServer()));
after(() => server.stop());

const VALUES = {
  atoms: ["ok", null, true, false],
  small_list: [1, 2, 3],
  numbers: [0, -1, 255, 256, 1700000000000, 9007199254740991, 1.5, -0.25],
  nested: { 0: "a", 1: { s: ["<b>", "</b>"] }, text: "grün 東京 🌈" },
  empty: [[], {}, ""],
  date: "2024-02-29T12:00:00Z",
};

/** A socket in a mode; `polled json` is JSON over long polling. */
function connect(mode, more = {}) {
  const { path, options } = mode.startsWith("polled ") ? POLLED[mode.slice(7)] : MODES[mode];
  const socket = new Socket(`ws://127.0.0.1:${server.port}${path}`, {
    transport: NodeWebSocket,
    reconnectAfterMs: () => 50,
    rejoinAfterMs: () => 50,
    ...options,
    ...more,
  });
  socket.connect();
  return socket;
}

async function within(mode, work, more) {
  const socket = connect(mode, more);
  try {
    const channel = socket.channel(`room:${mode}:${Math.random()}`, { name: "grün" });
    const joined = await join(channel);
    await work({ socket, channel, joined });
  } finally {
    await new Promise((done) => socket.disconnect(done));
  }
}

const polled = Object.keys(POLLED).map((mode) => `polled ${mode}`);
for (const mode of [...Object.keys(MODES), ...polled]) {
  test(`${mode}: join, with its reply`, () =>
    within(mode, ({ joined }) => assert.deepEqual(joined, { hello: "grün", at: "2024-02-29", admin: false, none: null })));

  test(`${mode}: push and reply give what was sent`, () =>
    within(mode, async ({ channel }) => {
      const sent = { text: "x".repeat(70000), list: [1, -5, 1e300, 2 ** 40, true, null], deep: { a: [{}] }, gone: undefined };
      const { gone: _, ...arrives } = sent;
      assert.deepEqual((await push(channel, "echo", sent)).echo, arrives);
    }));

  test(`${mode}: a refused push`, () =>
    within(mode, async ({ channel }) => {
      await assert.rejects(push(channel, "refuse", {}), (error) => error.response.reason === "not_allowed");
    }));

  test(`${mode}: values are those of JSON`, () =>
    within(mode, async ({ channel }) => {
      const values = await push(channel, "values", {});
      assert.equal(Object.getPrototypeOf(values), Object.prototype);
      assert.equal(values.polluted, undefined);
      assert.deepEqual(Object.getOwnPropertyDescriptor(values, "__proto__").value, { polluted: true });
      delete values["__proto__"];
      assert.deepEqual(values, VALUES);
    }));

  test(`${mode}: presence diffs, joins and leaves`, () =>
    within(mode, async ({ channel }) => {
      const left = next(channel, "presence_diff");
      const leaving = new Promise((resolve) => channel.on("presence_diff", (diff) => diff.leaves.bob && resolve(diff)));
      await push(channel, "leave_presence", { name: "bob" });
      await left;
      const { leaves } = await leaving;
      assert.deepEqual(leaves.bob.metas, [{ phx_ref: "F1", online_at: 1700000000, typing: false }]);
    }));

  // A polled JSON socket of Phoenix answers with an error here: it carries no binary frames downwards.
  if (mode === "polled json") continue;

  test(`${mode}: an upload in binary chunks`, () =>
    within(mode, async ({ channel }) => {
      for (const size of [0, 1, 64000, 200000]) {
        const chunk = bytes(size);
        assert.deepEqual(await push(channel, "chunk", chunk), { size, crc: crc32(chunk) });
      }
    }));

  test(`${mode}: binary reply, push and broadcast`, () =>
    within(mode, async ({ channel }) => {
      const data = bytes(300);
      assert.deepEqual(await push(channel, "binary_echo", data), data);
      for (const event of ["binary_push", "binary_shout"]) {
        const got = next(channel, "bytes");
        await push(channel, event, data);
        assert.deepEqual(await got, data);
      }
    }));

  // Long polling has none.
  if (mode.startsWith("polled")) continue;

  test(`${mode}: heartbeats are answered`, async () => {
    const socket = connect(mode, { heartbeatIntervalMs: 40 });
    const replies = [];
    socket.onMessage(({ topic, event, payload }) => topic === "phoenix" && replies.push([event, payload.status]));
    await new Promise((done) => setTimeout(done, 400));
    assert.ok(replies.length >= 3, `${replies.length} replies`);
    assert.deepEqual(replies[0], ["phx_reply", "ok"]);
    assert.ok(socket.isConnected());
    await new Promise((done) => socket.disconnect(done));
  });

  test(`${mode}: a lost connection comes back, and joins again`, () =>
    within(mode, async ({ socket, channel }) => {
      let opened = 0;
      socket.onOpen(() => opened++);
      channel.push("drop", {});
      for (let i = 0; i < 100 && (opened === 0 || channel.state !== "joined"); i++) await new Promise((done) => setTimeout(done, 50));
      assert.equal(opened, 1);
      assert.equal((await push(channel, "echo", { again: 1 })).echo.again, 1);
    }));

  test(`${mode}: ticks arrive in order`, () =>
    within(mode, async ({ channel }) => {
      const seen = [];
      const done = new Promise((resolve) => channel.on("diff", (diff) => seen.push(diff[0]) === 20 && resolve()));
      await push(channel, "rainbow", { every: 2, count: 20 });
      await done;
      assert.deepEqual(seen, Array.from({ length: 20 }, (_, i) => 20 - i));
    }));
}

for (const mode of ["both", "polled both", "polled fallback"]) {
  test(`${mode}: bytes inside of payloads, both ways, Blobs too`, () =>
    within(mode, async ({ channel }) => {
      const data = new Uint8Array(bytes(70000));
      const sent = { text: "grün", data, more: [new Blob([data]).slice(0, 3)] };
      const { back, ...rest } = await push(channel, "bytes", sent);
      assert.deepEqual(rest, { crc: crc32(data.buffer), text: "grün", none: [] });
      assert.deepEqual(back, Uint8Array.of(...data, ...data.subarray(0, 3)));
    }, mode === "both" ? { ...etf({ up: "auto" }) } : {}));
}

test("a broadcast with bytes reaches all: as bytes, and as base64 where JSON is spoken", async () => {
  const modes = ["json", "down", "both", ...polled];
  const sockets = modes.map((mode) => connect(mode));
  const channels = sockets.map((socket) => socket.channel("room:paint", {}));
  for (const channel of channels) await join(channel);
  const got = channels.map((channel) => next(channel, "painted"));
  await push(channels[0], "shout_bytes", { size: 1000 });
  const pixels = Uint8Array.from({ length: 1000 }, (_, i) => ((i + 1) * 7) & 255);
  for (const [i, payload] of (await Promise.all(got)).entries()) {
    const expected = modes[i].endsWith("json") ? Buffer.from(pixels).toString("base64") : pixels;
    assert.deepEqual(payload, { size: 1000, pixels: expected }, modes[i]);
  }
  for (const socket of sockets) await new Promise((done) => socket.disconnect(done));
});

test("bytes over JSON are refused where they are pushed", () =>
  within("down", ({ channel }) => {
    assert.throws(() => channel.push("bytes", { data: new Uint8Array(1) }), /bytes inside a payload/);
  }));

test("a broadcast reaches old and new clients of one mount", async () => {
  const sockets = ["json", "down", "both"].map((mode) => connect(mode));
  const channels = sockets.map((socket) => socket.channel("room:all", {}));
  for (const channel of channels) await join(channel);
  const got = channels.map((channel) => next(channel, "shout"));
  await push(channels[0], "shout", { text: "grün", n: [1, 2] });
  for (const payload of await Promise.all(got)) assert.deepEqual(payload, { text: "grün", n: [1, 2] });
  for (const socket of sockets) await new Promise((done) => socket.disconnect(done));
});

test("hostile frames end their own connection and nothing else", async () => {
  const bomb = Uint8Array.from([131, 80, 255, 255, 255, 255, 120, 156]);
  const pid = Uint8Array.from([131, 103, 100, 0, 1, 97, 0, 0, 0, 1, 0, 0, 0, 0, 0]);
  await within("both", async ({ channel: bystander }) => {
    for (const frame of [bomb, pid, Uint8Array.from([131, 108, 255, 255, 255, 255]), Uint8Array.from([9])]) {
      const socket = connect("both", { reconnectAfterMs: () => 100000 });
      await new Promise((open) => socket.onOpen(open));
      const closed = new Promise((resolve) => socket.onClose(resolve));
      socket.conn.send(frame);
      await closed;
      await new Promise((done) => socket.disconnect(done));
    }
    assert.equal((await push(bystander, "echo", { still: "here" })).echo.still, "here");
  });
});

test("a version nobody serves is refused", async () => {
  const response = await fetch(`http://127.0.0.1:${server.port}/socket/websocket?vsn=9.0.0`);
  assert.equal(response.status, 403);
});
