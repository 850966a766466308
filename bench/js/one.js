// One contestant on one message one way, alone in its process: best and median nanoseconds of 25 rounds.
//   node one.js FOLDER CONTESTANT MESSAGE decode|encode
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";

const [folder, contestant, message, way] = process.argv.slice(2);
const messages = {
  account: ["proto.js", "Account", "account", "account.bin"],
  final: ["proto.js", "AccountFinal", "finalAccount", "final.bin"],
  trade: ["market.js", "Trade", "trade", "trade.bin"],
};
const [module, generated, byHand, file] = messages[message];
const bytes = Uint8Array.from(readFileSync(`${folder}/${file}`));
const codec = await import(`${folder}/${module}`);
const [decode, encode] = [codec[`decode${generated}`], codec[`encode${generated}`]];
const value = decode(bytes);
const plain = (value) => JSON.stringify(value, (_, value) => (typeof value === "bigint" ? Number(value) : value));
const text = plain(value);
// Values without bigints, which JSON.stringify refuses: with them it would be slower still.
const numbers = JSON.parse(text);

const floor = (await import(way === "decode" ? "../peers/js/floor.js" : "../peers/js/encode_floor.js"))[byHand];
if (way === "decode") assert.deepEqual(floor(bytes), value);
else assert.deepEqual([floor(value), encode(value)], [bytes, bytes]);
const tasks = {
  decode: { floor: () => floor(bytes), generated: () => decode(bytes), json: () => JSON.parse(text) },
  encode: { floor: () => floor(value), generated: () => encode(value), json: () => JSON.stringify(numbers) },
};

const task = tasks[way][contestant];
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
