// Fields, types and enumerants that are called as what every object has.
import assert from "node:assert/strict";
import { CodecError } from "@aldis/codec";
import * as codecs from "./hostile.js";

Object.freeze(Object.prototype);
assert.equal(Object.getPrototypeOf(codecs.Marks), Object.prototype);
assert.ok(Object.hasOwn(codecs.Marks, "__proto__"));
assert.equal(codecs.Marks["__proto__"], 1);
assert.equal(codecs.Marks.hasOwnProperty, 2);

for (const input of [new Uint8Array(0), new Uint8Array(64), new Uint8Array(64).fill(1), new Uint8Array(64).fill(255)]) {
  for (const name of Object.keys(codecs).filter((name) => /^decode(?!.*_(?:of|order)$)[^$]*[^t$]$/.test(name))) {
    try {
      codecs[name](input);
    } catch (error) {
      assert.ok(error instanceof CodecError, `${name}: ${error.stack}`);
    }
  }
}
assert.equal({}.polluted, undefined);
assert.deepEqual(Object.keys(Object.prototype), []);
