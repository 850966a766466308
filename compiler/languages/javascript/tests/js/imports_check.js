// Modules that import one another in a circle: each has its own types, and refers to those of the other.
import assert from "node:assert/strict";
import { readFileSync, writeFileSync } from "node:fs";

const left = await import("./left.js");
const right = await import("./right.js");
const json = await import("./left_json.js");

assert.equal(typeof right.decodePrice, "function");
assert.equal(left.decodePrice, undefined);
assert.equal(right.decodeAccount, undefined);

const price = right.newPrice({ amount: -7n, side: "sell", kind: { which: "until", value: 9 }, notes: { value: Uint8Array.of(1) } });
const account = left.newAccount({ owner: "Ada", price, history: [price, right.newPrice()], side: "sell", named: { value: "n" } });
price.of = left.newAccount({ owner: "Bob" });
const bytes = left.encodeAccount(account);
assert.equal(left.verifyAccount(bytes), bytes.length);
assert.deepEqual(left.decodeAccount(bytes), account);
assert.deepEqual(json.accountFromJson(json.accountToJson(account)), account);
assert.deepEqual(right.decodePrice(right.encodePrice(price)), price);
// The path of a fault leads through both modules.
price.of.history = [right.newPrice({ amount: "much" })];
assert.throws(() => left.encodeAccount(account), (fault) => fault.path.join(".") === "price.of.history.0.amount");

// A module of another schema, or one of options that are others, is refused by name.
const text = readFileSync(new URL("right.js", import.meta.url), "utf8");
const digest = /return "([0-9a-f]{16})";/.exec(text)[1];
const [folder] = process.argv.slice(2);
for (const [name, stale] of [["right.js", text.replace(digest, "0000000000000000")], ["left.js", undefined]]) {
  const source = stale ?? readFileSync(new URL(name, import.meta.url), "utf8");
  writeFileSync(`${folder}/${name}`, source);
}
await assert.rejects(import(`${folder}/left.js`), /left\.js was generated for another right\.js: generate both again/);
