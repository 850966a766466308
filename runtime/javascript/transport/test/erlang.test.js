// The real server, killed and started again, behind connections that are cut.
import assert from "node:assert/strict";
import { execFileSync, spawn, spawnSync } from "node:child_process";
import { copyFileSync, existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync } from "node:fs";
import { connect, createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { fileURLToPath } from "node:url";
import { Client } from "@aldis/transport";
import { sleep } from "./fake.js";

const root = fileURLToPath(new URL("../../../../", import.meta.url));
const skip = spawnSync("erlc", ["-version"]).error === undefined ? false : "there is no Erlang here";
const folder = mkdtempSync(join(tmpdir(), "aldis-erlang-"));
const ebin = join(folder, "ebin");

before(() => {
  if (skip) return;
  const source = join(root, "runtime/erlang/src");
  const modules = [source, join(source, "transport"), join(root, "torture")].flatMap((from) =>
    readdirSync(from).filter((file) => file.endsWith(".erl")).map((file) => join(from, file)),
  );
  modules.push(join(root, "runtime/erlang/test/aldis_failing_files.erl"));
  mkdirSync(ebin);
  execFileSync("erlc", ["-I", join(root, "runtime/erlang/include"), "-o", ebin, ...modules]);
  copyFileSync(join(source, "aldis.app.src"), join(ebin, "aldis.app"));
});
after(() => rmSync(folder, { recursive: true }));

/** A server with a durable log, once it listens. */
async function server(port) {
  const violations = join(folder, "violations");
  const args = ["-noshell", "-pa", ebin, "-run", "torture_server", "main", String(port), join(folder, "log"), violations];
  const child = spawn("erl", args, { stdio: ["ignore", "pipe", "inherit"] });
  await new Promise((resolve, reject) => {
    child.stdout.on("data", (text) => String(text).includes("listening") && resolve());
    child.on("exit", () => reject(new Error("the server ended")));
  });
  return { violations, kill: () => new Promise((resolve) => (child.removeAllListeners("exit"), child.on("exit", resolve), child.kill("SIGKILL"))) };
}

/** A port in front of another one; `cut` ends what goes through it. */
async function weather(port) {
  const sockets = new Set();
  const proxy = createServer((near) => {
    const far = connect(port, "127.0.0.1");
    for (const [socket, other] of [[near, far], [far, near]]) {
      sockets.add(socket);
      socket.on("error", () => {});
      socket.on("close", () => (sockets.delete(socket), other.destroy()));
      socket.pipe(other);
    }
  });
  await new Promise((resolve) => proxy.listen(0, "127.0.0.1", resolve));
  return { port: proxy.address().port, cut: () => sockets.forEach((socket) => socket.resetAndDestroy()), close: () => proxy.close() };
}

async function freePort() {
  const holder = createServer();
  await new Promise((resolve) => holder.listen(0, "127.0.0.1", resolve));
  const { port } = holder.address();
  await new Promise((resolve) => holder.close(resolve));
  return port;
}

test("what is acked as durable is in the log once, in order, whatever dies", { skip, timeout: 120_000 }, async () => {
  const port = await freePort();
  let erlang = await server(port);
  const proxy = await weather(port);
  const options = { host: "127.0.0.1", port: proxy.port, durability: "durable", leastBackoff: 5, mostBackoff: 100, batchBytes: 500 };
  const client = await Client.connect(options);
  const total = 5000;
  for (let i = 1; i <= total; i++) {
    client.send(Buffer.from(String(i)));
    if (i % 50 === 0) await sleep(1);
    if (i % 500 === 0) proxy.cut();
    if (i % 2000 === 0) {
      await client.acked(i - 200);
      await erlang.kill();
      erlang = await server(port);
    }
  }
  await client.flush({ timeout: 60_000 });
  assert.equal(client.epoch, 1);
  await client.drain({ timeout: 10_000 });

  const reader = await Client.connect({ ...options, port });
  const read = [];
  reader.subscribe({ topic: "log", from: 1, onPush: (_, messages) => read.push(...messages.map(String)) });
  while (read.length < total) await sleep(5);
  await sleep(50);
  assert.deepEqual(read, Array.from({ length: total }, (_, i) => String(i + 1)));
  reader.close();
  proxy.close();
  await erlang.kill();
  assert.ok(!existsSync(erlang.violations));
});
