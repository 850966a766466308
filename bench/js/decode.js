// One contestant on one message, alone in its process: best and median nanoseconds of 25 rounds.
//   node decode.js FOLDER CONTESTANT MESSAGE
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";

const [folder, contestant, message] = process.argv.slice(2);
const messages = {
  account: ["proto.js", "decodeAccount", "account", "account.bin"],
  final: ["proto.js", "decodeAccountFinal", "finalAccount", "final.bin"],
  trade: ["market.js", "decodeTrade", "trade", "trade.bin"],
};
const [module, generated, byHand, file] = messages[message];
const bytes = Uint8Array.from(readFileSync(`${folder}/${file}`));
const ours = (await import(`${folder}/${module}`))[generated];
const text = JSON.stringify(ours(bytes), (_, value) => (typeof value === "bigint" ? Number(value) : value));

const floor = (await import("../peers/js/floor.js"))[byHand];
assert.deepEqual(floor(bytes), ours(bytes));
const tasks = { floor: () => floor(bytes), generated: () => ours(bytes), json: () => JSON.parse(text) };

const task = tasks[contestant];
let kept;
const rounds = [];
for (let round = 0; round < 25; round++) {
  const start = process.hrtime.bigint();
  for (let i = 0; i < 20000; i++) kept = task();
  rounds.push(Number(process.hrtime.bigint() - start) / 20000);
}
rounds.sort((a, b) => a - b);
assert.ok(kept !== undefined);
console.log(`${rounds[0]} ${rounds[12]} ${bytes.length}`);
