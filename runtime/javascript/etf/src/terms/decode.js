import { fail } from "../error.js";
import { depthOption, nodesOption, wordOption } from "../options.js";
import { readLatin1, readText, resetText } from "../text.js";
import { atom, ImproperList, Opaque, Tuple } from "./values.js";

const MOST_DIGITS = 1024;
const VALUES = new Map([["nil", null], ["true", true], ["false", false]]);
// The kind of an opaque term, and its bytes behind the node's name. A reference's numbers are counted in front of it.
const OPAQUE = new Map([
  [88, ["pid", 12]], [103, ["pid", 9]], [89, ["port", 8]], [102, ["port", 5]], [120, ["port", 12]],
  [90, ["reference", 4]], [114, ["reference", 1]], [101, ["reference", 5]],
]);

/** Reads one term as what it is; see terms.d.ts. */
export function decode(input, options) {
  const reader = new Reader(input, options);
  try {
    return reader.whole();
  } finally {
    resetText();
  }
}

class Reader {
  constructor(input, options) {
    if (input?.byteLength === undefined) throw new TypeError("input: a buffer or a view");
    this.bytes = new Uint8Array(input.buffer ?? input, input.byteOffset, input.byteLength);
    this.view = new DataView(this.bytes.buffer, this.bytes.byteOffset, this.bytes.length);
    this.at = 0;
    this.asText = wordOption(options, "binaries", ["text", "bytes"]) === 0;
    this.keysAsText = wordOption(options, "keys", ["text", "bytes"]) === 0;
    this.depth = depthOption(options);
    this.nodes = nodesOption(options);
  }

  whole() {
    if (this.u8() !== 131) fail("not_etf", 0);
    const value = this.term();
    if (this.at < this.bytes.length) fail("trailing_bytes", this.at);
    return value;
  }

  /** Goes over n bytes; returns where they begin. */
  take(n) {
    const start = this.at;
    if (n > this.bytes.length - start) fail("truncated", start);
    this.at = start + n;
    return start;
  }

  u8() {
    return this.bytes[this.take(1)];
  }

  u16() {
    return this.view.getUint16(this.take(2));
  }

  u32() {
    return this.view.getUint32(this.take(4));
  }

  term(asText = this.asText) {
    if (--this.nodes < 0) fail("too_many_nodes", this.at);
    const start = this.at;
    const tag = this.u8();
    switch (tag) {
      case 97: return this.u8();
      case 98: return this.view.getInt32(this.take(4));
      case 70: return this.float(start);
      case 110: return this.integer(this.u8());
      case 111: return this.integer(this.u32());
      case 109: return asText ? this.text(this.u32()) : this.raw(this.u32());
      case 100:
      case 118: return this.atom(tag, this.u16());
      case 115:
      case 119: return this.atom(tag, this.u8());
      case 106: return [];
      case 107: return this.smallList(this.u16());
      case 108: return this.list(this.u32());
      case 104: return this.tuple(this.u8());
      case 105: return this.tuple(this.u32());
      case 116: return this.map(this.u32());
      default: return OPAQUE.has(tag) ? this.opaque(start, tag) : fail("bad_tag", start, `: tag ${tag}`);
    }
  }

  float(start) {
    const value = this.view.getFloat64(this.take(8));
    return Number.isFinite(value) ? value : fail("bad_float", start);
  }

  /** A number up to 2^53 - 1, a BigInt beyond. */
  integer(n) {
    const start = this.at;
    const sign = this.u8();
    if (sign > 1) fail("bad_integer", start);
    const digits = this.take(n);
    if (n > MOST_DIGITS) fail("big_integer", start);
    let hex = "0x0";
    for (let i = digits + n; i-- > digits; ) hex += (this.bytes[i] + 256).toString(16).slice(1);
    const value = sign ? -BigInt(hex) : BigInt(hex);
    const number = Number(value);
    return Number.isSafeInteger(number) ? number : value;
  }

  text(n) {
    const start = this.take(n);
    return readText(this.bytes, start, this.at) ?? fail("bad_utf8", start);
  }

  /** A view of the frame. */
  raw(n) {
    return this.bytes.subarray(this.take(n), this.at);
  }

  name(tag, n) {
    if (tag === 118 || tag === 119) return this.text(n);
    return readLatin1(this.bytes, this.take(n), this.at);
  }

  atom(tag, n) {
    const start = this.at;
    const name = this.name(tag, n);
    if (VALUES.has(name)) return VALUES.get(name);
    if (n > 255 && [...name].length > 255) fail("bad_atom", start);
    return atom(name);
  }

  enter() {
    if (--this.depth < 0) fail("too_deep", this.at - 1);
  }

  /** n terms. No array is made for a count before its terms are there. */
  terms(n) {
    if (n > this.bytes.length - this.at) fail("truncated", this.at);
    const items = [];
    for (let i = 0; i < n; i++) items.push(this.term());
    return items;
  }

  smallList(n) {
    const start = this.take(n);
    if ((this.nodes -= n) < 0) fail("too_many_nodes", start);
    return Array.from(this.bytes.subarray(start, this.at));
  }

  list(n) {
    this.enter();
    const items = this.terms(n);
    const tail = this.bytes[this.at] === 106 ? this.take(1) && undefined : this.term();
    this.depth++;
    return tail === undefined ? items : new ImproperList(items, tail);
  }

  tuple(n) {
    this.enter();
    const marked = n === 2 && this.asText ? this.markedBytes() : undefined;
    const value = marked ?? Tuple.from(this.terms(n));
    this.depth++;
    return value;
  }

  /** The value behind the arity of `{bytes, Binary}`; undefined, and nothing read, if it is another tuple. */
  markedBytes() {
    const start = this.at;
    const tag = this.u8();
    const isAtom = tag === 100 || tag === 115 || tag === 118 || tag === 119;
    if (isAtom && this.name(tag, tag === 100 || tag === 118 ? this.u16() : this.u8()) === "bytes" && this.u8() === 109) {
      return this.raw(this.u32());
    }
    this.at = start;
    return undefined;
  }

  map(n) {
    this.enter();
    const start = this.at;
    if (n * 2 > this.bytes.length - start) fail("truncated", start);
    const map = new Map();
    for (let i = 0; i < n; i++) {
      const key = this.term(this.keysAsText);
      map.set(key, this.term());
    }
    if (map.size < n) fail("duplicate_key", start);
    this.depth++;
    return map;
  }

  opaque(start, tag) {
    const [kind, size] = OPAQUE.get(tag);
    const numbers = tag === 90 || tag === 114 ? this.u16() * 4 : 0;
    const at = this.at;
    const nodeTag = this.u8();
    if (![100, 115, 118, 119].includes(nodeTag)) fail("bad_tag", at, ": a node's name");
    const node = this.name(nodeTag, nodeTag === 100 || nodeTag === 118 ? this.u16() : this.u8());
    this.take(size + numbers);
    return new Opaque(kind, node, this.bytes.slice(start, this.at));
  }
}
