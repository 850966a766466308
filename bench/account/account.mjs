// Generated JavaScript: `node account.mjs FOLDER`, where the codecs and the messages are.
import { readFileSync } from "node:fs";

const folder = process.argv[2];
const proto = await import(`${folder}/proto.js`);
const json = await import(`${folder}/proto_json.js`);
const ROUNDS = 25;
const ROUND_NS = 1e7;

let kept;
function row(operation, form, bytes, task) {
  const run = (times) => {
    const start = process.hrtime.bigint();
    for (let i = 0; i < times; i++) kept = task();
    return Number(process.hrtime.bigint() - start);
  };
  run(20000);
  const times = Math.max(1, Math.round(ROUND_NS / (run(5000) / 5000)));
  const rounds = Array.from({ length: ROUNDS }, () => run(times) / times).sort((a, b) => a - b);
  console.log(operation, form, bytes, rounds[0].toFixed(1), rounds[ROUNDS >> 1].toFixed(1));
}

const alike = (a, b) => Buffer.compare(a, b) === 0;
for (const [form, suffix] of [["standard", ""], ["final", "Final"]]) {
  const bytes = Uint8Array.from(readFileSync(`${folder}/${form}.bin`));
  const [encode, decode, verify] = ["encode", "decode", "verify"].map((verb) => proto[`${verb}Account${suffix}`]);
  const value = decode(bytes);
  if (!alike(encode(value), bytes) || verify(bytes) !== bytes.length) throw new Error(`${form}: other bytes`);
  row("serialize", form, bytes.length, () => encode(value));
  row("deserialize", form, bytes.length, () => decode(bytes));
  row("verify", form, bytes.length, () => verify(bytes));
}
const text = readFileSync(`${folder}/account.json`, "utf8").trim();
const value = json.accountFromJson(text);
if (json.accountToJson(value) !== text) throw new Error("another JSON");
row("serialize", "json", text.length, () => json.accountToJson(value));
row("deserialize", "json", text.length, () => json.accountFromJson(text));
if (kept === undefined) throw new Error("nothing ran");
