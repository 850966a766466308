// Two files declare a type of one name: the instance of one belongs to the other's module, beside that one's own.
import assert from "node:assert/strict";
import * as outer from "./outer.js";
import { newPlain } from "./box.js";

const root = outer.newRoot({ plain: newPlain({ n: 7 }) });
root.a = Object.assign(root.a ?? {}, { w: "own" });
root.b = Object.assign(root.b ?? {}, { v: "imported" });
const read = outer.decodeRoot(outer.encodeRoot(root));
assert.equal(read.a.w, "own");
assert.equal(read.b.v, "imported");
assert.equal(read.plain.n, 7);
