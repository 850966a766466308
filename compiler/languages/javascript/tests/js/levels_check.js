// A value that is too deep only through a record of another schema is refused when it is written, as it would be when it is read.
import assert from "node:assert/strict";
import { defaultLimits } from "@aldis/codec";
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

// A record without levels that no limit counts still needs room for its own, however deep the one is that holds it.
const three = tree(3);
const within = (depth) => () => decodeTree(encodeTree(three), { ...defaultLimits, depth });
assert.deepEqual(within(5)(), three);
assert.throws(within(4), (fault) => fault.code === "too-deep" && fault.path.join(".") === "next.next.leaf.mid");
