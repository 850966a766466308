import assert from "node:assert/strict";
import test from "node:test";
import fc from "fast-check";
import { entriesOf } from "../src/frame.js";
import { Outbox } from "../src/outbox.js";

const step = fc.oneof(
  { weight: 4, arbitrary: fc.uint8Array({ maxLength: 30 }).map((message) => ["append", message]) },
  { weight: 2, arbitrary: fc.constant(["close"]) },
  { weight: 2, arbitrary: fc.tuple(fc.constant("next"), fc.record({ messages: fc.integer({ min: 1, max: 20 }), bytes: fc.integer({ min: 1, max: 300 }) })) },
  { weight: 2, arbitrary: fc.tuple(fc.constant("ack"), fc.nat(20)) },
  { weight: 1, arbitrary: fc.tuple(fc.constant("rewind"), fc.nat(20)) },
);

test("the outbox agrees with a plain list: credit is kept, nothing is lost, doubled or out of order", () => {
  const kept = (messages) => messages.reduce((sum, message) => sum + message.length + 4, 0);
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 200 }), fc.array(step, { minLength: 1, maxLength: 200 }), (batch, steps) => {
      const outbox = new Outbox(batch);
      const all = [];
      let sent = 0;
      let acked = 0;
      const run = {
        append: (message) => assert.equal(outbox.append(message), all.push(message)),
        close: () => outbox.closeChunk(),
        next: (credit) => {
          const outgoing = outbox.next(credit, 100);
          if (outgoing === undefined) return;
          assert.equal(outgoing.first, sent + 1);
          for (const entry of entriesOf(outgoing.entries, outgoing.count)) assert.deepEqual(Uint8Array.from(entry), all[sent++]);
          assert.ok(sent - acked === 1 || (sent - acked <= credit.messages && kept(all.slice(acked, sent)) <= credit.bytes));
        },
        ack: (more) => outbox.ack((acked = Math.min(sent, acked + more))),
        rewind: (back) => outbox.rewind((sent = Math.max(acked, sent - back)) + 1),
      };
      for (const [what, ...given] of steps) {
        run[what](...given);
        assert.deepEqual([outbox.sent, outbox.acked, outbox.keptBytes], [sent, acked, kept(all.slice(acked))]);
      }
    }),
    { numRuns: 1000 },
  );
});
