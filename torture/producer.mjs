// A producer of the torture test; torture/producer.py says what it takes and does.
//     node producer.mjs PORT PRODUCER EPOCH JOURNAL
import { openSync, writeSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";
import { Client } from "../runtime/javascript/transport/src/index.js";

const PATIENCE = 60_000;

/** How many bytes follow a message's identity: as torture/messages.py says. */
function filling(epoch, sequence) {
  const mixed = Number((BigInt(sequence + 7919 * epoch) * 2654435761n) & 0xffffffffn);
  const kind = mixed >>> 24;
  return kind < 4 ? mixed & 0xffff : mixed & (kind < 128 ? 0x3f : 0x3ff);
}

function message(producer, epoch, sequence) {
  const bytes = Buffer.alloc(28 + filling(epoch, sequence));
  producer.copy(bytes);
  bytes.writeUInt32LE(epoch, 16);
  bytes.writeBigUInt64LE(BigInt(sequence), 20);
  for (let at = 28, i = sequence & 0xff; at < bytes.length; at++, i++) bytes[at] = 131 * i + 17 * (i >> 8);
  return bytes;
}

/** The first connection may be cut like any other. */
async function connected(options) {
  const end = performance.now() + PATIENCE;
  for (;;) {
    try {
      return await Client.connect(options);
    } catch (why) {
      if (performance.now() > end) throw why;
      await sleep(50);
    }
  }
}

const [port, name, epochText, path] = process.argv.slice(2);
const [producer, epoch, journal] = [Buffer.from(name, "hex"), Number(epochText), openSync(path, "a")];
// A line goes out in one write, so that a kill never leaves half of an earlier one.
const note = (what, upto) => writeSync(journal, `${what} ${upto}\n`);

const client = await connected({
  host: "127.0.0.1",
  port: Number(port),
  producer,
  epoch,
  durability: "durable",
  maxKeptBytes: 1 << 20,
  mostBackoff: 200,
  pingAfter: 2000,
  onAck: ({ acked }) => note("acked", acked),
});
let sequence = client.watermarks.acked;
note("acked", sequence);
let enough = false;
process.stdin.on("end", () => (enough = true)).resume();
for (let batch = 1; !enough; await sleep(2)) {
  batch = (batch * 31) % 61;
  note("sending", sequence + batch);
  for (let i = 0; i < batch; i++) {
    await client.ready();
    const given = client.send(message(producer, epoch, ++sequence));
    if (given !== sequence) throw new Error(`message ${sequence} got the number ${given}`);
  }
}
await client.flush({ timeout: PATIENCE });
if (client.epoch !== epoch) throw new Error("the server has forgotten this producer");
client.close();
