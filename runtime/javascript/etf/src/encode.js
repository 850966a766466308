import { bytesOf, isBytes, kindOf } from "./bytes.js";
import { fail } from "./error.js";
import { depthOption, wordOption } from "./options.js";

const utf8 = new TextEncoder();
// A buffer that grew beyond this is not kept for the next call.
const KEPT = 65536;
// Up to this many characters a loop beats a call of TextEncoder.
const SHORT = 128;

// `{bytes, ` of the tuple that marks bytes: an arity, an atom.
const MARK = [104, 2, 119, 5, 98, 121, 116, 101, 115];

const scratch = new DataView(new ArrayBuffer(8));
const scratchBytes = new Uint8Array(scratch.buffer);

// A buffer for the next call; none while a call uses it.
let spare;

// The state of the encoding under way. toJSON, getters and proxies are the user's code, which may encode as well:
// each call puts the state back as it was.
let out;
let at = 0;
let maxDepth = 0;
let integers = 0;
// The lists and maps around the value that is being written.
let around;
let depth = 0;

/** Writes a value as a term; see index.d.ts. */
export function encode(value, options) {
  return write(value, options);
}

/** Writes a value as a term at the start of `target`; returns the bytes it took. See index.d.ts. */
export function encodeInto(value, target, options) {
  if (!(target instanceof Uint8Array)) throw new TypeError("target: a Uint8Array");
  return write(value, options, target);
}

function write(value, options, target) {
  // Options first: they may throw, or call their getters, and so must find the state as it was.
  const settings = [depthOption(options), wordOption(options, "bigint", ["throw", "integer"])];
  const outer = [out, at, maxDepth, integers, around, depth];
  [maxDepth, integers] = settings;
  out = spare ?? new Uint8Array(1024);
  spare = undefined;
  around = [];
  depth = 0;
  out[0] = 131;
  at = 1;
  try {
    if (!put(value, "")) fail("no_value", 0);
    if (!target) return out.slice(0, at);
    if (at > target.length) fail("no_space", target.length);
    target.set(out.subarray(0, at));
    return at;
  } finally {
    if (out.length <= KEPT) spare = out;
    [out, at, maxDepth, integers, around, depth] = outer;
  }
}

/** Makes room for n more bytes. */
function need(n) {
  if (n > out.length - at) {
    const bigger = new Uint8Array(Math.max(out.length * 2, at + n));
    bigger.set(out);
    out = bigger;
  }
}

/** Writes `value`, found under `key`; false if it has no JSON value: then nothing is written. */
function put(value, key) {
  switch (typeof value) {
    case "string": return string(value);
    case "number": return number(value);
    case "boolean": return atom(String(value));
    case "undefined":
    case "symbol": return false;
    default: return value === null ? atom("nil") : object(value, key);
  }
}

/** An object, a function or a bigint: all of them may have toJSON, but bytes are bytes. */
function object(value, key) {
  if (ArrayBuffer.isView(value) && isBytes(value)) return bytes(bytesOf(value));
  if (typeof value.toJSON === "function") value = value.toJSON(String(key));
  switch (typeof value) {
    case "function": return false;
    case "bigint": return bigint(value);
    case "object": return value === null ? atom("nil") : structure(value);
    default: return put(value);
  }
}

function structure(value) {
  if (Array.isArray(value)) return list(value);
  return Object.getPrototypeOf(value) === Object.prototype ? map(Object.keys(value), value) : special(value);
}

/** An object that is no literal: boxed values and collections are what they hold, and what holds no data is refused. */
function special(value) {
  if (value instanceof Number) return number(Number(value));
  if (value instanceof String) return string(String(value));
  if (value instanceof Boolean) return atom(String(Boolean.prototype.valueOf.call(value)));
  if (value instanceof BigInt) return bigint(BigInt.prototype.valueOf.call(value));
  if (isBytes(value)) return bytes(bytesOf(value));
  switch (kindOf(value)) {
    case "Map": return collection(value);
    case "Set": return list(Array.from(value), value);
    case "numbers": return list(value, value);
    case "none": return fail("bad_value", at, `: ${Object.prototype.toString.call(value)}`);
    default: return map(Object.keys(value), value);
  }
}

/** A Map: its keys are strings and numbers, as those of objects are. */
function collection(value) {
  const entries = Object.create(null);
  const keys = [];
  for (const [key, item] of value) {
    if (typeof key !== "string" && !Number.isFinite(key)) fail("bad_value", at, ": a Map's key that is no string and no number");
    keys.push(String(key));
    entries[key] = item;
  }
  if (new Set(keys).size < keys.length) fail("duplicate_key", at);
  return map(keys, entries, value);
}

function bytes(value) {
  need(MARK.length + value.length + 5);
  for (let i = 0; i < MARK.length; i++) out[at++] = MARK[i];
  sized(109, value.length);
  out.set(value, at);
  at += value.length;
  return true;
}

/** nil, true or false. */
function atom(name) {
  need(7);
  out[at++] = 119;
  out[at++] = name.length;
  for (let i = 0; i < name.length; i++) out[at++] = name.charCodeAt(i);
  return true;
}

function number(value) {
  // True for -0 too, which JSON writes as 0.
  if (value === (value | 0)) return small(value | 0);
  if (Number.isSafeInteger(value)) return safe(value);
  // From here on JSON writes numbers with an exponent, which are floats to the server.
  if (Number.isInteger(value) && Math.abs(value) < 1e21) return large(BigInt(value));
  return Number.isFinite(value) ? float(value) : atom("nil");
}

function small(value) {
  if (value >= 0 && value < 256) {
    need(2);
    out[at++] = 97;
    out[at++] = value;
  } else {
    sized(98, value);
  }
  return true;
}

/** A tag and 32 bits. */
function sized(tag, n) {
  need(5);
  const b = out;
  const i = at;
  b[i] = tag;
  b[i + 1] = n >>> 24;
  b[i + 2] = n >>> 16;
  b[i + 3] = n >>> 8;
  b[i + 4] = n;
  at = i + 5;
}

/** An integer between 32 and 53 bits. */
function safe(value) {
  need(10);
  const start = at;
  at += 3;
  for (let rest = Math.abs(value); rest > 0; rest = Math.floor(rest / 256)) out[at++] = rest % 256;
  return digits(start, value < 0);
}

/** Writes the header of a bignum whose digits lie behind it. */
function digits(start, negative) {
  out[start] = 110;
  out[start + 1] = at - start - 3;
  out[start + 2] = negative ? 1 : 0;
  return true;
}

function float(value) {
  need(9);
  scratch.setFloat64(0, value);
  out[at++] = 70;
  for (let i = 0; i < 8; i++) out[at++] = scratchBytes[i];
  return true;
}

function bigint(value) {
  if (!integers) throw new TypeError("a BigInt; option bigint");
  return large(value);
}

function large(value) {
  if (value === BigInt.asIntN(32, value)) return small(Number(value));
  const hex = (value < 0n ? -value : value).toString(16);
  const n = (hex.length + 1) >> 1;
  if (n > 255) fail("big_integer", at);
  need(n + 3);
  const start = at;
  at += 3;
  for (let i = hex.length; i > 0; i -= 2) out[at++] = parseInt(hex.slice(Math.max(0, i - 2), i), 16);
  return digits(start, value < 0n);
}

function string(text) {
  const n = text.length;
  need(n + 5);
  if (n > SHORT) return unicode(text);
  const b = out;
  const start = at + 5;
  for (let i = 0; i < n; i++) {
    const code = text.charCodeAt(i);
    if (code > 127) return unicode(text);
    b[start + i] = code;
  }
  sized(109, n);
  at = start + n;
  return true;
}

function unicode(text) {
  let { read, written } = utf8.encodeInto(text, out.subarray(at + 5));
  if (read < text.length) {
    need(text.length * 3 + 5);
    ({ written } = utf8.encodeInto(text, out.subarray(at + 5)));
  }
  sized(109, written);
  at += written;
  return true;
}

function enter(value) {
  for (let i = depth; i-- > 0; ) {
    if (around[i] === value) throw new TypeError("a cyclic value");
  }
  if (depth >= maxDepth) fail("too_deep", at);
  around[depth++] = value;
}

/** An array, or what is written as one in place of `whole`. */
function list(items, whole = items) {
  const n = items.length;
  enter(whole);
  if (n > 0) {
    sized(108, n);
    for (let i = 0; i < n; i++) put(items[i], i) || atom("nil");
  }
  need(1);
  out[at++] = 106;
  depth--;
  return true;
}

/** An object with these keys, which is written in place of `whole`. */
function map(keys, entries, whole = entries) {
  enter(whole);
  need(5);
  const start = at;
  at += 5;
  let n = 0;
  let ascii = true;
  for (const key of keys) {
    const value = entries[key];
    if (value === undefined) continue;
    const mark = at;
    string(key);
    if (at - mark !== key.length + 5) ascii = false;
    if (put(value, key)) n++;
    else at = mark;
  }
  // Keys that differ in lone surrogates alone have become one, and a map with a key twice is no term.
  if (!ascii && new Set(keys.map(wellFormed)).size < keys.length) fail("duplicate_key", start);
  const end = at;
  at = start;
  sized(116, n);
  at = end;
  depth--;
  return true;
}

const wellFormed = (text) => text.replace(/\p{Surrogate}/gu, "\ufffd");
