import { bytesOf, isBytes, kindOf } from "../bytes.js";
import { fail } from "../error.js";
import { depthOption, wordOption } from "../options.js";
import { Atom, Float, ImproperList, Opaque, Tuple } from "./values.js";

const utf8 = new TextEncoder();
const LITERALS = new Set([Object.prototype, null]);

/** Writes a value as the term it is; see terms.d.ts. */
export function encode(value, options) {
  const writer = new Writer(options);
  writer.byte(131);
  writer.put(value);
  return writer.out.slice(0, writer.at);
}

class Writer {
  constructor(options) {
    this.out = new Uint8Array(256);
    this.at = 0;
    this.marksBytes = wordOption(options, "binaries", ["text", "bytes"]) === 0;
    this.atomKeys = wordOption(options, "objectKeys", ["text", "atom"]) === 1;
    this.depth = depthOption(options);
  }

  /** Makes room for n more bytes; returns where they begin. */
  room(n) {
    const start = this.at;
    if (n > this.out.length - start) {
      const bigger = new Uint8Array(Math.max(this.out.length * 2, start + n));
      bigger.set(this.out);
      this.out = bigger;
    }
    this.at = start + n;
    return start;
  }

  byte(value) {
    // Room first: it may replace the buffer.
    const start = this.room(1);
    this.out[start] = value;
  }

  /** A tag and a number of 32 bits. */
  sized(tag, n) {
    const start = this.room(5);
    this.out[start] = tag;
    new DataView(this.out.buffer).setUint32(start + 1, n);
  }

  all(bytes) {
    const start = this.room(bytes.length);
    this.out.set(bytes, start);
  }

  put(value) {
    switch (typeof value) {
      case "string": return this.text(value);
      case "number": return this.number(value);
      case "bigint": return this.integer(value);
      case "boolean": return this.atom(String(value));
      case "object": return value === null ? this.atom("nil") : this.object(value);
      default: return this.refuse(value);
    }
  }

  refuse(value) {
    fail("bad_value", this.at, `: ${typeof value === "object" ? Object.prototype.toString.call(value) : typeof value}`);
  }

  object(value) {
    if (value instanceof Atom) return this.atom(value.name);
    if (value instanceof Float) return this.float(value.value);
    if (value instanceof Opaque) return this.all(value.bytes);
    if (isBytes(value)) return this.binary(bytesOf(value));
    if (--this.depth < 0) fail("too_deep", this.at);
    this.container(value);
    this.depth++;
  }

  container(value) {
    if (value instanceof Tuple) return this.tuple(value);
    if (Array.isArray(value)) return this.list(value, []);
    if (value instanceof ImproperList) return this.list(value.items, value.tail);
    switch (kindOf(value)) {
      case "Map": return this.map([...value]);
      case "Set":
      case "numbers": return this.list(Array.from(value), []);
    }
    if (!LITERALS.has(Object.getPrototypeOf(value))) this.refuse(value);
    this.map(Object.entries(value), this.atomKeys);
  }

  atom(name) {
    const bytes = utf8.encode(name);
    this.all(bytes.length < 256 ? [119, bytes.length] : [118, bytes.length >>> 8, bytes.length & 255]);
    this.all(bytes);
  }

  text(text) {
    if (/\p{Surrogate}/u.test(text)) fail("bad_value", this.at, ": text with half a surrogate pair");
    const bytes = utf8.encode(text);
    this.sized(109, bytes.length);
    this.all(bytes);
  }

  /** Bytes: marked where binaries are text. */
  binary(bytes) {
    if (this.marksBytes) {
      this.all([104, 2]);
      this.atom("bytes");
    }
    this.sized(109, bytes.length);
    this.all(bytes);
  }

  /** An integer if it is one that a number holds exactly, else a float: integers beyond that are BigInts. */
  number(value) {
    if (Number.isSafeInteger(value) && !Object.is(value, -0)) return this.integer(BigInt(value));
    this.float(value);
  }

  float(value) {
    if (!Number.isFinite(value)) this.refuse(value);
    const start = this.room(9);
    this.out[start] = 70;
    new DataView(this.out.buffer).setFloat64(start + 1, value);
  }

  integer(value) {
    if (value >= 0n && value < 256n) return this.all([97, Number(value)]);
    if (value === BigInt.asIntN(32, value)) return this.sized(98, Number(value));
    const hex = (value < 0n ? -value : value).toString(16);
    const n = (hex.length + 1) >> 1;
    if (n < 256) this.all([110, n]);
    else this.sized(111, n);
    this.byte(value < 0n ? 1 : 0);
    let at = this.room(n);
    for (let i = hex.length; i > 0; i -= 2) this.out[at++] = parseInt(hex.slice(Math.max(0, i - 2), i), 16);
  }

  list(items, tail) {
    if (items.length > 0) this.sized(108, items.length);
    for (let i = 0; i < items.length; i++) this.put(items[i]);
    if (Array.isArray(tail) && tail.length === 0 && !(tail instanceof Tuple)) return this.byte(106);
    if (items.length === 0) fail("bad_value", this.at, ": an improper list without items");
    this.put(tail);
  }

  tuple(items) {
    if (items.length < 256) this.all([104, items.length]);
    else this.sized(105, items.length);
    for (let i = 0; i < items.length; i++) this.put(items[i]);
  }

  map(pairs, asAtoms = false) {
    const start = this.at;
    this.sized(116, pairs.length);
    const seen = new Set();
    for (const [key, value] of pairs) {
      const from = this.at;
      if (asAtoms) this.atom(key);
      else this.put(key);
      // Keys that are different objects may be one term, and a map with a key twice is none.
      seen.add(Array.from(this.out.subarray(from, this.at)).join());
      this.put(value);
    }
    if (seen.size < pairs.length) fail("duplicate_key", start);
  }
}
