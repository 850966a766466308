// Functions for usual messages and tables charge the same: each reads a message under the very limits under which the other does.
//   node limits_check.js MODULE FUNCTION FILE
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { referenceLimits } from "@aldis/codec";
import { walkAt } from "@aldis/codec/read";
import { Routine } from "@aldis/codec/walk";

const [module, name, file] = process.argv.slice(2);
const decode = (await import(`./${module}`))[name];
const bytes = Uint8Array.from(readFileSync(file));
const value = decode(bytes);

let table;
const run = Routine.prototype.run;
Routine.prototype.run = function (...args) {
  table ??= this;
  return run.apply(this, args);
};

/** Whether the function reads it; where it does not, the table must not either. */
function reads(limits) {
  table = undefined;
  try {
    assert.deepEqual(decode(bytes, limits), value);
  } catch (error) {
    assert.ok(["too-deep", "too-large"].includes(error.code), error.message);
    assert.ok(table !== undefined);
    return false;
  }
  assert.equal(table, undefined, "the table reads what the function refuses");
  return true;
}

/** The least of a limit under which the function reads; the table reads under it too. */
function least(limits) {
  let most = 0;
  while (!reads(limits(most))) most++;
  assert.ok(most > 0);
  assert.equal(reads(limits(most - 1)), false);
  assert.deepEqual(walkAt(table, bytes, 0, limits(most))[0], value);
  return most;
}

for (const partial of [{ depth: 10 }, { ...referenceLimits, depth: NaN }, { ...referenceLimits, surcharge: undefined }]) {
  assert.throws(() => decode(bytes, partial), TypeError);
}

const generous = { depth: 64, budgetFactor: 0, budgetBase: 1 << 20, surcharge: true };
const paid = least((budgetBase) => ({ ...generous, budgetBase }));
const plain = least((budgetBase) => ({ ...generous, budgetBase, surcharge: false }));
const deep = least((depth) => ({ ...generous, depth }));
assert.ok(plain <= paid && deep < 8, `${paid} ${plain} ${deep}`);
