import { CodecError, concealed, typed, within } from "./error.js";
import { defaultLimits } from "./frame.js";
import { Decimal } from "./decimal.js";
import { sorted } from "./order.js";
import { readWhole } from "./read.js";
import { putLossless } from "./text.js";
import { growTo, outOfRange, targeted, unfit, Writer } from "./writer.js";

export { bits, bytesBehind, finish, list, openTable, pack, plant, point, records, textBehind, trim } from "./build.js";
export { grow, outOfRange } from "./writer.js";

const SLAB = 65536;
const SMALL = 4096;

/** Nobody's for now: a getter of a value that is being written may write another one. */
let idle;

function take() {
  let f = idle;
  idle = undefined;
  // Memory of no bytes was transferred to another thread, with a message that lies in it.
  if (f === undefined || f.room - f.at < SMALL || f.b.length === 0) f = new Writer(SLAB);
  f.start = f.at;
  f.depth = defaultLimits.depth;
  f.charged = 0;
  return f;
}

/** Gives the writer back, with the memory from `at` on as it was. */
function leaveAt(f, at, stop) {
  if (f.room > SLAB) return;
  f.b.fill(0, at, stop);
  f.at = at;
  idle = f;
}

/** A writer that has written a message. */
function begin(routine, value, header, head) {
  const f = take();
  try {
    routine(f, value);
    if (header !== undefined && header !== null) putHeader(f, header, head);
    return f;
  } catch (error) {
    leaveAt(f, f.start, f.room);
    throw error;
  }
}

/** The bytes of a message. With a head they have a header value: its routine and the bytes of it that are put into messages. */
export function write(routine, value, header, head) {
  const f = begin(routine, value, header, head);
  if (f.at - f.start <= SMALL) {
    if (f.room <= SLAB) idle = f;
    return new Uint8Array(f.b.buffer, f.start, f.at - f.start);
  }
  return cutOut(f);
}

/** The same in memory that has nothing else in it. */
export function writeAlone(routine, value, header, head) {
  return cutOut(begin(routine, value, header, head));
}

function cutOut(f) {
  const bytes = f.b.slice(f.start, f.at);
  leaveAt(f, f.start, f.at);
  return bytes;
}

/** Writes a message into memory of the caller's; gives where it ends. */
export function writeInto(routine, value, target, at = 0, header, head) {
  targeted(target, at);
  const f = begin(routine, value, header, head);
  const size = f.at - f.start;
  const fits = size <= target.length - at;
  if (fits) target.set(f.b.subarray(f.start, f.at), at);
  leaveAt(f, f.start, f.at);
  if (!fits) unfit(size);
  return at + size;
}

/** The bytes of a message with its name. */
export function writeAny(routines, any, header, head) {
  return write(named(routines, any), any.value, header, head);
}

export function writeAnyAlone(routines, any, header, head) {
  return writeAlone(named(routines, any), any.value, header, head);
}

function named(routines, any) {
  isRecord(any);
  const known = routines();
  const { message } = any;
  if (Object.hasOwn(known, message)) return known[message];
  throw new CodecError("unknown-message", null, [], `the schema has no message ${message}`);
}

/** Writes a header value behind the message, and takes its bytes to where the message has them. */
function putHeader(f, header, [routine, spans]) {
  const from = f.at;
  routine(f, header);
  for (const [at, size] of spans) f.b.copyWithin(f.start + at, from + at, from + at + size);
  f.b.fill(0, from, f.at);
  f.at = from;
}

/** A new record with the fields that are given in the place of its own. */
export function fresh(record, init) {
  for (const name of Object.keys(record)) {
    if (init !== undefined && Object.hasOwn(init, name) && init[name] !== undefined) record[name] = init[name];
  }
  return record;
}

export function enter(f) {
  if (--f.depth < 0) throw new CodecError("too-deep", null, [], "records nest deeper than the limit");
}

/** Puts the fields and elements that a fault leaves before its path. */
export function leave(error, ...path) {
  // The language throws errors itself: where a symbol stands in the place of a number, or out of a proxy or a getter.
  error = typed(error);
  path.reverse().forEach((step) => step !== undefined && within(error, step));
  return error;
}

/** The same of a record with hidden fields, given their names. */
export function leaveHidden(error, names, ...path) {
  const fault = leave(error, ...path);
  return path.some((step) => names.includes(step)) ? concealed(fault) : fault;
}

export function wrong(detail = "the value is not of the field's type") {
  throw new CodecError("bad-value", null, [], detail);
}

/** A required value is null, or another one than the field takes. It is not shown: it may be a text that nobody is to see. */
function wrongValue(value, wanted) {
  if (value === null || value === undefined) wrong(`null, but the field must have ${wanted}`);
  wrong(`the value is not ${wanted}`);
}

const misfit = (number) => outOfRange(`${number} does not fit the field's type`, number);

/** A number that is no integer of so many bits, negative ones where it may have a sign. */
export function noInteger(number, bits) {
  const [least, most] = bits < 0 ? [-(2 ** (-bits - 1)), 2 ** (-bits - 1) - 1] : [0, 2 ** bits - 1];
  const wanted = `a whole number from ${least} to ${most}`;
  if (Number.isInteger(number) || typeof number === "bigint") outOfRange(`${number} is not ${wanted}`, number);
  wrongValue(number, wanted);
}

/** The number of an enumerant without a name. A text is no number: it would be the name of an enumerant. */
export const unnamed = (number, type) => (typeof number === "string" ? wrong(`the value is no name of the enum ${type}`) : number);

const wide = (value, least, most) => {
  const big = Number.isSafeInteger(value) ? BigInt(value) : value;
  const wanted = () => `a whole number from ${least} to ${most}`;
  if (typeof big !== "bigint") wrongValue(value, wanted());
  return big < least || big > most ? outOfRange(`${big} is not ${wanted()}`, big) : big;
};

export const u64Of = (value) =>
  typeof value === "bigint" && BigInt.asUintN(64, value) === value ? value : wide(value, 0n, 2n ** 64n - 1n);
export const i64Of = (value) =>
  typeof value === "bigint" && BigInt.asIntN(64, value) === value ? value : wide(value, -(2n ** 63n), 2n ** 63n - 1n);

/** Puts an integer of 64 bits that is given as a number of a range: as its halves. Big ones are numbers, too. */
function putNarrow(f, at, value, little, least, most) {
  const number = typeof value === "bigint" ? Number(value) : value;
  const wanted = () => `a whole number from ${least} to ${most}`;
  if (!Number.isInteger(number)) wrongValue(value, wanted());
  if (number < least || number > most) outOfRange(`${value} is not ${wanted()}`, value);
  f.v.setUint32(at + (little ? 4 : 0), Math.floor(number / 2 ** 32), little);
  f.v.setUint32(at + (little ? 0 : 4), number, little);
}

export const putI64safe = (f, at, value, little) => putNarrow(f, at, value, little, 1 - 2 ** 53, 2 ** 53 - 1);
export const putU64safe = (f, at, value, little) => putNarrow(f, at, value, little, 0, 2 ** 53 - 1);
// The largest numbers below 2^63 and 2^64.
export const putI64number = (f, at, value, little) => putNarrow(f, at, value, little, -(2 ** 63), 2 ** 63 - 1024);
export const putU64number = (f, at, value, little) => putNarrow(f, at, value, little, 0, 2 ** 64 - 2048);

/** One NaN: engines may keep the bits of others. */
export function f64Of(value) {
  if (typeof value !== "number") wrongValue(value, "a number");
  return value === value ? value : NaN;
}

export function f32Of(value) {
  const number = f64Of(value);
  const narrow = Math.fround(number);
  return narrow - narrow !== 0 && number - number === 0 ? misfit(number) : narrow;
}

export const boolOf = (value) => (value === true ? 1 : value === false ? 0 : wrongValue(value, "true or false"));

/** A character as its byte. */
export function charOf(value) {
  if (typeof value !== "string" || value.length !== 1) wrongValue(value, "a string of one character");
  return value.charCodeAt(0);
}

export function putDecimal(f, at, value) {
  const decimal = typeof value === "string" ? Decimal.parse(value) : value;
  if (!(decimal instanceof Decimal)) wrongValue(value, "a Decimal, or the text of one");
  f.v.setBigUint64(at, BigInt.asUintN(64, decimal.coefficient), true);
  f.v.setUint32(at + 8, Number(decimal.coefficient >> 64n), true);
  f.b[at + 14] = decimal.scale;
  f.b[at + 15] = decimal.negative ? 0x80 : 0;
}

export function putUuid(f, at, value) {
  if (typeof value !== "string" || !/^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/i.test(value)) wrongValue(value, "a uuid of 32 hex digits with hyphens");
  const digits = value.replaceAll("-", "");
  for (let i = 0; i < 16; i++) f.b[at + i] = parseInt(digits.substr(2 * i, 2), 16);
}

/** Floats that are stored with some bits turned round. */
export function putF32xor(f, at, value, mask) {
  f.v.setFloat32(at, f32Of(value), true);
  f.v.setUint32(at, f.v.getUint32(at, true) ^ mask, true);
}

export function putF64xor(f, at, value, mask) {
  f.v.setFloat64(at, f64Of(value), true);
  f.v.setBigUint64(at, f.v.getBigUint64(at, true) ^ mask, true);
}

/** The tag of a union's value whose arm has no name. */
export function tagOf({ which, tag }) {
  return which === null && Number.isSafeInteger(tag) && tag >= 0 ? tag : wrong("no arm of the union is called so");
}

export function isRecord(value) {
  if (typeof value !== "object" || value === null) wrongValue(value, "an object");
}

export function isSame(value, fixed) {
  if (value !== fixed && value !== undefined && !Object.is(value, fixed)) wrong("the schema fixes another value");
}

/** How many elements a list has: an array, or a typed array. */
export function count(list) {
  if (!Array.isArray(list) && !(ArrayBuffer.isView(list) && "length" in list)) wrongValue(list, "an array");
  const length = list.length;
  // A proxy may say what it likes.
  return length >>> 0 === length ? length : outOfRange();
}

export function exactly(list, wanted, code) {
  if (count(list) !== wanted) throw new CodecError(code, null, [], `a list of ${wanted} elements belongs here`);
}

/** The elements of a set in order, of equals the first. */
export function sortedSet(set, order) {
  return inOrder(set instanceof Set || count(set) >= 0 ? [...set] : [], order);
}

/** The entries of a map in order of their keys, of equals the first. */
export function sortedMap(map, order) {
  const entries = map instanceof Map || count(map) >= 0 ? [...map] : [];
  if (!entries.every(Array.isArray)) wrong("a map is a Map, or an array of keys with their values");
  return inOrder(entries, (a, b) => order(a[0], b[0]));
}

function inOrder(items, order) {
  try {
    return sorted(items, order);
  } catch {
    // A value without an order is of another type.
    return wrong("an element or key is of another type");
  }
}

/** Text behind a head of so many bytes, which comes next. Gives how many bytes it has. */
export function putText(f, text, head) {
  if (typeof text !== "string") wrongValue(text, "a string");
  const at = f.at + head;
  if (at + 3 * text.length > f.room) growTo(f, at + 3 * text.length);
  return putUtf8(f, at, text);
}

const encoder = /*#__PURE__*/ new TextEncoder();

function putUtf8(f, at, text) {
  const size = text.length;
  if (size > 24) return text.isWellFormed() ? encoder.encodeInto(text, f.b.subarray(at)).written : lossless(f, at, text);
  const b = f.b;
  for (let i = 0; i < size; i++) {
    const code = text.charCodeAt(i);
    if (code > 127) return lossless(f, at, text);
    b[at + i] = code;
  }
  return size;
}

function lossless(f, at, text) {
  return putLossless(f.b, at, text) ?? wrong("half of a surrogate pair stands for no byte");
}

export function putLatin1(f, text, head) {
  if (typeof text !== "string") wrongValue(text, "a string");
  const at = f.at + head;
  if (at + text.length > f.room) growTo(f, at + text.length);
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i);
    if (code > 255) outOfRange("a character beyond U+00FF in one-byte text");
    f.b[at + i] = code;
  }
  return text.length;
}

export function putBytes(f, bytes, head) {
  if (!(bytes instanceof Uint8Array)) wrongValue(bytes, "a Uint8Array");
  const at = f.at + head;
  if (at + bytes.length > f.room) growTo(f, at + bytes.length);
  f.b.set(bytes, at);
  return bytes.length;
}

// Text in so many bytes, which are zero.
export const putChars = (f, at, width, text) => putPlain(f, at, width, text, 127) || putWithin(f, at, width, text, putText);
export const putLatin1Chars = (f, at, width, text) => putPlain(f, at, width, text, 255) || putWithin(f, at, width, text, putLatin1);

/** Short text whose characters are bytes; false, and the bytes are zero, where it is another one. */
function putPlain({ b }, at, width, text, last) {
  if (typeof text !== "string" || text.length > width || text.length > 24) return false;
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i);
    if (code > last) {
      b.fill(0, at, at + i);
      return false;
    }
    b[at + i] = code;
  }
  return true;
}

/** It is put elsewhere first, since it may be too long. */
function putWithin(f, at, width, text, put) {
  const other = new Writer(width);
  const size = put(other, text, 0);
  if (size > width) outOfRange(`text of ${size} bytes in a field of ${width}`);
  f.b.set(other.b.subarray(0, size), at);
}

/** Elements that have no bytes, for which reading charges all the same. */
export function unpaid(f, elements) {
  f.charged += 8 * elements;
}

/** Whether what is written can be read: where there are too many elements without bytes it cannot. */
export function readable(f, usual, routine) {
  if (f.charged <= defaultLimits.budgetBase) return;
  try {
    readWhole(usual, routine, f.b.subarray(f.start, f.at));
  } catch (error) {
    if (!(error instanceof CodecError) || error.code !== "too-large") throw error;
    throw new CodecError(error.code, null, [], "more elements without bytes than decoding reads");
  }
}

export function total(f) {
  const size = f.at - f.start;
  return size < 2 ** 32 ? size : outOfRange("a message of more than 4 GiB");
}

/** The length of a frame, in so many bytes. */
export function framed(length, width) {
  return width >= 8 || length < 2 ** (8 * width) ? length : outOfRange(`a message of ${length} bytes is too long for its frame`);
}
