// Decoding leaves nothing behind: no message is kept, no prototype changed, no optimised code given up by the engine.
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import * as market from "./market.js";
import * as json from "./market_json.js";

const file = fileURLToPath(new URL("book.bin", import.meta.url));
const book = Uint8Array.from(readFileSync(file));
const trade = market.encodeTrade(market.newTrade({ sequence: 7n, venue: "ÄX", conditions: 3 }));

/** Reads and writes both kinds of messages so many times. */
function work(times) {
  let sum = 0;
  for (let i = 0; i < times; i++) {
    sum += market.encodeTrade(market.decodeTrade(trade)).length;
    sum += market.encodeOrderBook(market.decodeOrderBook(book)).length;
  }
  return sum;
}

/** Reads a message in memory that nobody else knows. */
function lone() {
  const bytes = new Uint8Array(1 << 20);
  bytes.set(trade);
  market.decodeTrade(bytes);
  return new WeakRef(bytes.buffer);
}

const tasks = {
  // Memory after 10^6 messages, each in memory of its own, is what it was after the first 10^4.
  async heap() {
    const used = () => (globalThis.gc(), globalThis.gc(), process.memoryUsage());
    const read = (times) => {
      for (let i = 0; i < times; i++) market.decodeTrade(Uint8Array.from(trade));
    };
    read(10_000);
    const before = used();
    const reference = lone();
    // A WeakRef holds what it refers to until the turn in which it was made is over.
    await new Promise(setImmediate);
    read(1_000_000);
    const after = used();
    assert.ok(after.heapUsed - before.heapUsed < 1 << 20, `${after.heapUsed - before.heapUsed} bytes more of heap`);
    assert.ok(after.arrayBuffers - before.arrayBuffers < 1 << 20, `${after.arrayBuffers - before.arrayBuffers} bytes more of buffers`);
    assert.equal(reference.deref(), undefined);
  },
  // Nothing that is read, written or refused touches prototypes.
  frozen() {
    for (const of of [Object, Array, Map, Set, Function, String, Number, Uint8Array, Error]) Object.freeze(of.prototype);
    work(100);
    assert.equal(json.orderBookToJson(json.orderBookFromJson(json.orderBookToJson(market.decodeOrderBook(book)))), json.orderBookToJson(market.decodeOrderBook(book)));
    for (let size = 0; size < book.length; size++) {
      assert.throws(() => market.decodeOrderBook(book.subarray(0, size)), { name: "CodecError", code: /truncated|bad-count/ });
    }
    assert.throws(() => json.tradeFromJson('{"__proto__":{"polluted":1}}'), { code: "bad-json" });
    assert.throws(() => market.encodeTrade({ ...market.newTrade(), sequence: -1n }), { code: "out-of-range" });
    assert.equal({}.polluted, undefined);
  },
  // After some thousand messages all that runs is compiled, and stays so.
  deopt() {
    work(30_000);
    console.log("warm");
    work(30_000);
  },
};

const [task] = process.argv.slice(2);
if (task !== undefined) await tasks[task]();
else {
  const node = (...args) => {
    const { status, stdout, stderr } = spawnSync(process.execPath, args, { encoding: "utf8" });
    assert.equal(status, 0, stderr);
    return stdout;
  };
  const self = fileURLToPath(import.meta.url);
  node("--expose-gc", "--max-old-space-size=64", self, "heap");
  node(self, "frozen");
  const [, warm] = node("--trace-deopt", "--single-threaded", self, "deopt").split("warm\n");
  const given = warm.split("\n").filter((line) => /bailout|deoptimizing/.test(line) && !line.includes("OSR"));
  // The loop of this file ends once.
  assert.deepEqual(given.filter((line) => !line.includes("<JSFunction work")), []);
}
