import { fail } from "./error.js";
import { holds, next, readKey, sizes, slotOf, strings, turn } from "./keys.js";
import { depthOption, nodesOption, wordOption } from "./options.js";
import { readLatin1, readText, resetText } from "./text.js";

// The state of the one decoding under way. Nothing here calls the user's code, so there is never a second.
let bytes;
let view;
let at = 0;
// Terms may use bytes[at, end). Each list and map keeps back the least its elements still to come can take, so a
// forged count is refused before memory is taken for it, however the containers nest.
let end = 0;
let depthLeft = 0;
// Terms that lists, maps and tuples may still hold. Each of them takes memory, whatever the size of its bytes.
let nodesLeft = 0;
// Integers that a number does not hold: 0 rounds them, 1 makes a BigInt, 2 throws.
let integers = 0;
let tuples = 0;
let keepBytes = 0;
// The slots of the key read last, and of the key whose value is being read.
let slot = 0;
let under = 0;
let filled = 0;

// Integers of more bytes than this are beyond every JavaScript number, and slow to print.
const MOST_DIGITS = 128;
const noBytes = new Uint8Array(0);
// The text that "%.20e" of C prints into 31 bytes, the rest zeros.
const OLD_FLOAT = /^(-?\d\.\d{20}e[+-]\d{2,3})\0*$/;

/** Reads one term; see index.d.ts. */
export function decode(input, options) {
  const frame = asBytes(input);
  setOptions(options);
  bytes = frame;
  at = 0;
  end = frame.length;
  under = 0;
  try {
    if (u8() !== 131) fail("not_etf", 0);
    const value = term();
    if (at < end) fail("trailing_bytes", at);
    return value;
  } finally {
    bytes = noBytes;
    view = undefined;
    resetText();
  }
}

function asBytes(input) {
  if (input instanceof Uint8Array) return input;
  if (input?.byteLength === undefined) throw new TypeError("input: a buffer or a view");
  return new Uint8Array(input.buffer ?? input, input.byteOffset, input.byteLength);
}

function setOptions(options) {
  integers = wordOption(options, "integers", ["number", "bigint", "throw"]);
  tuples = wordOption(options, "tuples", ["throw", "array"]);
  keepBytes = wordOption(options, "invalidUtf8", ["throw", "bytes"]);
  depthLeft = depthOption(options);
  nodesLeft = nodesOption(options);
}

/** Checks that n more bytes are there. */
function need(n) {
  if (n > end - at) fail("truncated", at);
}

function u8() {
  need(1);
  return bytes[at++];
}

function u16() {
  return (u8() << 8) | u8();
}

function i32() {
  need(4);
  const b = bytes;
  const i = at;
  at = i + 4;
  return (b[i] << 24) | (b[i + 1] << 16) | (b[i + 2] << 8) | b[i + 3];
}

function term() {
  const tag = u8();
  switch (tag) {
    case 109: return binary();
    case 97: return u8();
    case 116: return map();
    case 108: return list();
    case 106: return [];
    case 98: return i32();
    case 70: return float();
    case 107: return smallList();
    case 110: return big(u8());
    case 100:
    case 115:
    case 118:
    case 119: return atom(tag);
    case 111: return big(i32() >>> 0);
    case 104:
    case 105: return tuple(tag);
    case 99: return oldFloat();
    default: return fail("bad_tag", at - 1, `: tag ${tag}`);
  }
}

function binary() {
  const n = i32() >>> 0;
  const start = at;
  need(n);
  at = start + n;
  const value = readText(bytes, start, start + n);
  if (value !== undefined) return value;
  return keepBytes ? bytes.slice(start, at) : fail("bad_utf8", start);
}

/** A key or an atom of n bytes, behind a header of so many bytes. */
function text(n, header) {
  need(n);
  const start = at - header;
  at += n;
  slot = slotOf(bytes, start, at);
  const name = readKey(slot, bytes, start, header, at);
  if (name === undefined) fail("bad_utf8", start + header);
  return name;
}

/** An atom's name. */
function name(tag) {
  return tag === 115 || tag === 119 ? text(u8(), 2) : text(u16(), 3);
}

/** An atom as a value: often the one that began with this letter, or had this length, the last time. */
function atom(tag) {
  const now = turn(bytes[at + 1] | 0, 1);
  const guess = next[now];
  let value;
  if (holds(guess, bytes, at - 1, end)) {
    at += sizes[guess] - 1;
    value = strings[guess];
  } else {
    value = name(tag);
    next[now] = slot;
  }
  switch (value) {
    case "nil": return null;
    case "true": return true;
    case "false": return false;
    default: return value;
  }
}

function float() {
  need(8);
  view ??= new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
  const value = view.getFloat64(at);
  if (!Number.isFinite(value)) fail("bad_float", at - 1);
  at += 8;
  return value;
}

function oldFloat() {
  const start = at - 1;
  need(31);
  at += 31;
  const value = Number(OLD_FLOAT.exec(readLatin1(bytes, start + 1, at))?.[1]);
  return Number.isFinite(value) ? value : fail("bad_float", start);
}

/** A bignum of n digits (bytes): a number, or a BigInt where the options ask for it. */
function big(n) {
  const start = at;
  if (n > 7 || integers) return large(bigInt(n), start);
  const negative = sign(n);
  let value = 0;
  // Only the last step can round, as in JSON.parse.
  for (let i = at + n; i-- > at; ) value = value * 256 + bytes[i];
  at += n;
  return negative ? 0 - value : value;
}

function large(value, start) {
  const rounded = Number(value);
  if (integers === 0 || Number.isSafeInteger(rounded)) return rounded;
  return integers === 1 ? value : fail("big_integer", start);
}

/** Reads a bignum's sign, and checks that its n digits are there and not too many. */
function sign(n) {
  const start = at;
  const value = u8();
  if (value > 1) fail("bad_integer", start);
  need(n);
  if (n > MOST_DIGITS) fail("big_integer", start);
  return value;
}

function bigInt(n) {
  const negative = sign(n);
  let hex = "0x0";
  for (let i = at + n; i-- > at; ) hex += (bytes[i] + 256).toString(16).slice(1);
  at += n;
  return negative ? -BigInt(hex) : BigInt(hex);
}

/** Enters a list, map or tuple of so many terms; the reading position is behind its count. */
function enter(nodes) {
  if (--depthLeft < 0) fail("too_deep", at - 1);
  hold(nodes);
}

function hold(nodes) {
  if ((nodesLeft -= nodes) < 0) fail("too_many_nodes", at);
}

/** STRING_EXT: a list of small integers, not a string. */
function smallList() {
  const n = u16();
  need(n);
  hold(n);
  const items = new Array(n);
  for (let i = 0; i < n; i++) items[i] = bytes[at++];
  return items;
}

/** Reads n terms that are followed by `tail` more bytes of the same container. */
function terms(n, tail) {
  need(n + tail);
  enter(n);
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
  if (bytes[at++] !== 106) fail("improper_list", at - 1);
  return items;
}

function tuple(tag) {
  const start = at - 1;
  const n = tag === 104 ? u8() : i32() >>> 0;
  const first = at;
  const marked = tag === 104 && n === 2 ? markedBytes() : undefined;
  if (marked) return marked;
  if (!tuples) fail("tuple", start);
  at = first;
  return terms(n, 0);
}

/** The bytes behind the arity of `{bytes, Binary}`, as a view of the frame; undefined if it is another tuple. */
function markedBytes() {
  const tag = u8();
  if (tag !== 119 && tag !== 100 && tag !== 115 && tag !== 118) return undefined;
  if (name(tag) !== "bytes" || u8() !== 109) return undefined;
  const n = i32() >>> 0;
  need(n);
  // A view takes more memory than other terms do.
  hold(4);
  at += n;
  return new Uint8Array(bytes.buffer, bytes.byteOffset + at - n, n);
}

function map() {
  const n = i32() >>> 0;
  // A key takes two bytes at least, a value one.
  need(n * 3);
  enter(n * 2);
  end -= n * 3;
  const parent = under;
  filled = 0;
  const object = n > 0 && isIndex(0) ? indexed(n) : {};
  let now = turn(parent, 0);
  for (let i = filled; i < n; i++) {
    end += 3;
    const guess = next[now];
    if (holds(guess, bytes, at, end)) {
      at += sizes[guess];
      now = turn(parent, guess);
      under = guess;
      object[strings[guess]] = term();
    } else {
      const label = key();
      next[now] = under = slot;
      now = turn(parent, slot);
      // No number is a name that objects inherit.
      if (typeof label === "string" && label in object) own(object, label, term());
      else object[label] = term();
    }
  }
  under = parent;
  depthLeft++;
  return object;
}

/** Whether the next key is this small integer; each pair still to come has three bytes at least. */
function isIndex(i) {
  return bytes[at] === 97 && bytes[at + 1] === i;
}

function indexedValue() {
  at += 2;
  end += 3;
  under = 0;
  return term();
}

/**
 * The first pairs of a map with the keys 0, 1, .., as LiveView's diffs have them; `filled` is how many. V8 gives a
 * literal room for just its elements, an empty object room for 17 at the first store.
 */
function indexed(n) {
  const a = indexedValue();
  if (n === (filled = 1) || !isIndex(1)) return { 0: a };
  const b = indexedValue();
  if (n === (filled = 2) || !isIndex(2)) return { 0: a, 1: b };
  const c = indexedValue();
  if (n === (filled = 3) || !isIndex(3)) return { 0: a, 1: b, 2: c };
  const d = indexedValue();
  if (n === (filled = 4) || !isIndex(4)) return { 0: a, 1: b, 2: c, 3: d };
  const e = indexedValue();
  if (n === (filled = 5) || !isIndex(5)) return { 0: a, 1: b, 2: c, 3: d, 4: e };
  const f = indexedValue();
  filled = 6;
  return { 0: a, 1: b, 2: c, 3: d, 4: e, 5: f };
}

// For names that objects inherit: assigning "__proto__" would set the prototype, others may be read-only there.
function own(object, name, value) {
  Object.defineProperty(object, name, { value, writable: true, enumerable: true, configurable: true });
}

/** A map's key as JSON would name it: atoms by name, nil too; integers in decimal. Sets its slot. */
function key() {
  const start = at;
  const tag = u8();
  switch (tag) {
    case 109: return text(i32() >>> 0, 5);
    case 100:
    case 115:
    case 118:
    case 119: return name(tag);
  }
  slot = 0;
  if (tag === 97) return u8();
  if (tag === 98) return i32();
  if (tag === 110) return String(bigInt(u8()));
  return fail("bad_key", start, `: tag ${tag}`);
}
