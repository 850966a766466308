// Requests and their answers. The argument is the folder of golden messages.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { newReq, newRespErr, newRespOk } from "./extra.js";
import { receiver, requests, sender, senderFinal } from "./extra_stream.js";

const answer = (message, make, request, init) => ({ message, value: make({ id: request.id, ...init }) });
const request = (number) => newReq({ id: `00000000-0000-0000-0000-0000000000a${number}`, what: `what ${number}` });

// A client and a server with a stream each way, as FBE's own client and server write them.
const stream = Uint8Array.from(readFileSync(`${process.argv[2]}/stream_extra_requests.stream.bin`));
{
  const out = sender();
  const desk = requests(out);
  const got = [];
  let strays = 0;
  const hand = (message) => (value) => (strays += desk.answer({ message, value }) ? 0 : 1);
  receiver().feed(stream, {
    "extra.Req": (value) => desk.send("extra.Req", value).then((any) => got.push(any)),
    "extra.RespOk": hand("extra.RespOk"),
    "extra.RespErr": hand("extra.RespErr"),
  }, () => {});
  await new Promise(setImmediate);
  assert.deepEqual(got.map(({ message, value }) => [message, value.code]), [["extra.RespOk", 200]]);
  assert.deepEqual([strays, desk.size], [1, 0]);
  const written = out.take();
  assert.deepEqual(written, stream.subarray(0, written.length));
}

const out = senderFinal();
const desk = requests(out);
const waiting = [0, 1, 2, 3].map((number) => desk.send("extra.Req", request(number)));
const { size } = out;
await assert.rejects(desk.send("extra.Req", request(2)), { code: "duplicate" });
assert.equal(out.size, size);
const no = answer("extra.RespErr", newRespErr, request(2), { why: "no" });
assert.ok(desk.answer(no) && !desk.answer(answer("extra.RespOk", newRespOk, request(2))));
assert.deepEqual(await waiting[2], no);
// UUIDs are the same in letters of both cases.
assert.ok(desk.answer(answer("extra.RespOk", newRespOk, { id: request(0).id.toUpperCase() })));
assert.equal((await waiting[0]).message, "extra.RespOk");
assert.ok(!desk.answer({ message: "extra.Notice", value: {} }) && !desk.answer({ message: "constructor", value: {} }));
assert.equal(desk.giveUp(new Error("the connection is gone")), 2);
await assert.rejects(waiting[1], { code: "given-up" });
await assert.rejects(waiting[3], (error) => error.cause.message === "the connection is gone");

await assert.rejects(desk.send("extra.Req", request(4), { timeout: 5 }), { code: "late" });
const abort = new AbortController();
const aborted = desk.send("extra.Req", request(5), { signal: abort.signal, timeout: 60_000 });
abort.abort(new Error("enough"));
await assert.rejects(aborted, /enough/);
await assert.rejects(desk.send("extra.Req", request(6), { signal: abort.signal }), /enough/);
await assert.rejects(desk.send("extra.Notice", {}), TypeError);
await assert.rejects(desk.send("extra.Req", { ...request(7), what: 1 }), { code: "bad-value" });
assert.equal(desk.size, 0);
