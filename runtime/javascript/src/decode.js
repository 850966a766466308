import { EtfError } from "./error.js";
import { choice, depthLimit } from "./limits.js";
import { keySlot, readKey, readKeyAfter } from "./keys.js";
import { readText, resetText } from "./text.js";

// The state of the one decoding under way. Nothing here calls the user's code, so there is never a second.
let bytes;
let at = 0;
// Terms may use bytes[at, end). Each list and map keeps back the least its elements still to come can take, so a
// forged count is refused before memory is taken for it, however the containers nest.
let end = 0;
let depthLeft = 0;
let wantBigInt = false;
let wantExact = false;
let wantTuples = false;
let wantBytes = false;
let mostDigits = 0;

const scratch = new DataView(new ArrayBuffer(8));
const scratchBytes = new Uint8Array(scratch.buffer);
const noBytes = new Uint8Array(0);
// What "%.20e" of C prints into 31 bytes, the rest zeros.
const OLD_FLOAT = /^-?\d\.\d{20}e[+-]\d\d\d?\0*$/;

/** Reads one term; see index.d.ts. */
export function decode(input, options) {
  const view = asBytes(input);
  setOptions(options);
  bytes = view;
  at = 0;
  end = view.length;
  try {
    if (end === 0) fail("truncated", 0, "an empty frame has no term");
    if (bytes[at++] !== 131) fail("not_etf", 0, `a term starts with 131, not ${bytes[0]}`);
    const value = term();
    if (at < end) fail("trailing_bytes", at, `${end - at} bytes follow the term`);
    return value;
  } finally {
    bytes = noBytes;
    resetText();
  }
}

function asBytes(input) {
  if (input instanceof Uint8Array) return input;
  if (ArrayBuffer.isView(input)) return new Uint8Array(input.buffer, input.byteOffset, input.byteLength);
  // Throws a TypeError for what is no buffer, but not for a number or an array: those must not pass as a size.
  if (Object.prototype.toString.call(input) === "[object ArrayBuffer]") return new Uint8Array(input);
  throw new TypeError("decode takes an ArrayBuffer or a view of one");
}

function setOptions(options) {
  depthLeft = 512;
  mostDigits = 128;
  wantBigInt = wantExact = wantTuples = wantBytes = false;
  if (options === undefined) return;
  const integers = choice(options, "integers", ["number", "bigint", "throw"]);
  wantBigInt = integers === "bigint";
  wantExact = integers === "throw";
  wantTuples = choice(options, "tuples", ["throw", "array"]) === "array";
  wantBytes = choice(options, "invalidUtf8", ["throw", "bytes"]) === "bytes";
  depthLeft = depthLimit(options);
  mostDigits = options.maxIntegerBytes ?? 128;
}

function fail(code, offset, message) {
  throw new EtfError(code, offset, message);
}

/** Checks that n more bytes are there. */
function need(n) {
  if (n > end - at) fail("truncated", at, `${n} bytes are needed and ${end - at} are left`);
}

function u16() {
  need(2);
  at += 2;
  return (bytes[at - 2] << 8) | bytes[at - 1];
}

function i32() {
  need(4);
  at += 4;
  return (bytes[at - 4] << 24) | (bytes[at - 3] << 16) | (bytes[at - 2] << 8) | bytes[at - 1];
}

function u8() {
  need(1);
  return bytes[at++];
}

function term() {
  const tag = u8();
  switch (tag) {
    case 109: return binary();
    case 97: return u8();
    case 116: return map();
    case 108: return list();
    case 106: return [];
    case 119: return atomValue(atom(u8(), true));
    case 98: return i32();
    case 70: return float();
    case 107: return smallList();
    case 110: return big(u8());
    case 118: return atomValue(atom(u16(), true));
    case 100: return atomValue(atom(u16(), false));
    case 115: return atomValue(atom(u8(), false));
    case 111: return big(i32() >>> 0);
    case 104: return tuple(tag);
    case 105: return tuple(tag);
    case 99: return oldFloat();
    default: return fail("bad_tag", at - 1, `tag ${tag} has no value here`);
  }
}

function binary() {
  const n = i32() >>> 0;
  need(n);
  const start = at;
  at += n;
  const text = readText(bytes, start, at);
  if (text !== undefined) return text;
  if (wantBytes) return bytes.slice(start, at);
  return fail("bad_utf8", start, `a binary of ${n} bytes is not UTF-8`);
}

function atom(n, isUtf8) {
  need(n);
  const start = at;
  at += n;
  let name;
  if (isUtf8) {
    name = readKey(bytes, start, at);
    if (name === undefined) fail("bad_utf8", start, `an atom of ${n} bytes is not UTF-8`);
  } else {
    name = "";
    for (let i = start; i < at; i++) name += String.fromCharCode(bytes[i]);
  }
  return name;
}

function atomValue(name) {
  switch (name) {
    case "nil": return null;
    case "true": return true;
    case "false": return false;
    default: return name;
  }
}

function float() {
  need(8);
  for (let i = 0; i < 8; i++) scratchBytes[i] = bytes[at + i];
  const value = scratch.getFloat64(0);
  if (!Number.isFinite(value)) fail("bad_float", at - 1, "a float is not finite");
  at += 8;
  return value;
}

function oldFloat() {
  need(31);
  const text = String.fromCharCode(...bytes.subarray(at, at + 31));
  const value = OLD_FLOAT.test(text) ? Number(text.replaceAll("\0", "")) : NaN;
  if (!Number.isFinite(value)) fail("bad_float", at - 1, "an old float is no number");
  at += 31;
  return value;
}

/** A bignum of n digits (bytes): a number, or a BigInt where the options ask for it. */
function big(n) {
  const start = at;
  const sign = u8();
  if (sign > 1) fail("bad_integer", start, `an integer's sign is 0 or 1, not ${sign}`);
  need(n);
  if (n > mostDigits) fail("big_integer", start, `an integer of ${n} bytes; the limit is ${mostDigits}`);
  at += n;
  if (n > 8 || wantBigInt || wantExact) return exact(sign, start, n);
  let low = 0;
  let high = 0;
  for (let i = at - 1, d = n; d > 4; i--, d--) high = high * 256 + bytes[i];
  for (let i = start + Math.min(n, 4); i > start; i--) low = low * 256 + bytes[i];
  // Both halves are exact, so this sum is the only rounding, as in JSON.parse.
  const value = high * 0x100000000 + low;
  return sign ? 0 - value : value;
}

function exact(sign, start, n) {
  const size = bigInt(start + 1, n);
  const value = sign ? -size : size;
  const asNumber = Number(value);
  if (Number.isSafeInteger(asNumber) || !(wantBigInt || wantExact)) return asNumber;
  if (wantExact) fail("big_integer", start, "an integer is beyond 2^53 - 1");
  return value;
}

function bigInt(start, n) {
  let hex = "0x0";
  for (let i = start + n - 1; i >= start; i--) hex += (bytes[i] + 256).toString(16).slice(1);
  return BigInt(hex);
}

function enter() {
  if (--depthLeft < 0) fail("too_deep", at - 1, "lists and maps nest deeper than maxDepth");
}

/** STRING_EXT: a list of small integers, not a string. */
function smallList() {
  const n = u16();
  need(n);
  const items = new Array(n);
  for (let i = 0; i < n; i++) items[i] = bytes[at++];
  return items;
}

/** Reads n terms that are followed by `tail` more bytes of the same container. */
function terms(n, tail) {
  need(n + tail);
  enter();
  end -= n + tail;
  const items = new Array(n);
  for (let i = 0; i < n; i++) {
    end++;
    items[i] = term();
  }
  end += tail;
  depthLeft++;
  return items;
}

function list() {
  const items = terms(i32() >>> 0, 1);
  if (bytes[at] !== 106) fail("improper_list", at, "a list must end in NIL");
  at++;
  return items;
}

function tuple(tag) {
  if (!wantTuples) fail("tuple", at - 1, "tuples have no JSON value (option tuples: \"array\")");
  return terms(tag === 104 ? u8() : i32() >>> 0, 0);
}

function map() {
  const n = i32() >>> 0;
  // A key takes two bytes at least, a value one.
  need(n * 3);
  enter();
  end -= n * 3;
  const object = {};
  let slot = 0;
  for (let i = 0; i < n; i++) {
    end += 3;
    const name = key(slot);
    slot = keySlot();
    const value = term();
    if (name === "__proto__") own(object, name, value);
    else object[name] = value;
  }
  depthLeft++;
  return object;
}

// An assignment would set the prototype instead.
function own(object, name, value) {
  Object.defineProperty(object, name, { value, writable: true, enumerable: true, configurable: true });
}

/** A map's key as JSON would name it: atoms by name, nil too; integers in decimal. */
function key(slot) {
  const start = at;
  switch (u8()) {
    case 97: return u8();
    case 109: return binaryKey(slot);
    case 119: return atomKey(slot);
    case 98: return i32();
    case 118: return atom(u16(), true);
    case 100: return atom(u16(), false);
    case 115: return atom(u8(), false);
    case 110: return bigKey();
    default: return fail("bad_key", start, "a map's key must be a binary, an atom or an integer");
  }
}

function binaryKey(slot) {
  const n = i32() >>> 0;
  return textKey(slot, n);
}

function atomKey(slot) {
  return textKey(slot, u8());
}

function textKey(slot, n) {
  need(n);
  at += n;
  const name = readKeyAfter(slot, bytes, at - n, at);
  if (name === undefined) fail("bad_utf8", at - n, `a key of ${n} bytes is not UTF-8`);
  return name;
}

function bigKey() {
  const n = u8();
  const sign = u8();
  need(n);
  at += n;
  return String(sign ? -bigInt(at - n, n) : bigInt(at - n, n));
}
