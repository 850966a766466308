// A value that is too deep only through a record of another schema is refused when it is written, as it would be when it is read.
import assert from "node:assert/strict";
import { newLeaf, newMid } from "./leaf.js";
import { decodeTree, encodeTree, newTree } from "./tree.js";

function tree(levels) {
  let value = newTree({ leaf: newLeaf({ x: 1, mid: newMid({ y: 2 }) }) });
  for (let level = 1; level < levels; level++) value = newTree({ next: value });
  return value;
}

const deepest = tree(62);
assert.deepEqual(decodeTree(encodeTree(deepest)), deepest);
assert.throws(() => encodeTree(tree(63)), (fault) => fault.code === "too-deep");
