import { Decimal } from "./decimal.js";
import { within } from "./error.js";
import { fail } from "./frame.js";
import { isText, readLatin1, readText } from "./text.js";

// Values at a place of a frame, whose bytes are known to be there. Numbers of two bytes and more have either byte order.
export const u8 = (r, at) => r.b[at];
export const i8 = (r, at) => (r.b[at] << 24) >> 24;
export const u16 = (r, at) => r.v.getUint16(at, true);
export const i16 = (r, at) => r.v.getInt16(at, true);
export const u32 = (r, at) => r.v.getUint32(at, true);
export const i32 = (r, at) => r.v.getInt32(at, true);
export const u64 = (r, at) => r.v.getBigUint64(at, true);
export const i64 = (r, at) => r.v.getBigInt64(at, true);
export const f32 = (r, at) => r.v.getFloat32(at, true);
export const f64 = (r, at) => r.v.getFloat64(at, true);
export const u16be = (r, at) => r.v.getUint16(at);
export const i16be = (r, at) => r.v.getInt16(at);
export const u32be = (r, at) => r.v.getUint32(at);
export const i32be = (r, at) => r.v.getInt32(at);
export const u64be = (r, at) => r.v.getBigUint64(at);
export const i64be = (r, at) => r.v.getBigInt64(at);
export const f32be = (r, at) => r.v.getFloat32(at);
export const f64be = (r, at) => r.v.getFloat64(at);

/** An integer of 64 bits as a number, if no other one would be that number. */
function safe(r, at, number) {
  return Number.isSafeInteger(number) ? number : fail(r, "out-of-range", at);
}
const ABOVE = 4294967296;

// Integers of 64 bits as numbers: without big ones on the way, which cost more than all the rest.
export const i64number = (r, at) => r.v.getInt32(at + 4, true) * ABOVE + r.v.getUint32(at, true);
export const u64number = (r, at) => r.v.getUint32(at + 4, true) * ABOVE + r.v.getUint32(at, true);
export const i64numberbe = (r, at) => r.v.getInt32(at) * ABOVE + r.v.getUint32(at + 4);
export const u64numberbe = (r, at) => r.v.getUint32(at) * ABOVE + r.v.getUint32(at + 4);
export const i64safe = (r, at) => safe(r, at, i64number(r, at));
export const u64safe = (r, at) => safe(r, at, u64number(r, at));
export const i64safebe = (r, at) => safe(r, at, i64numberbe(r, at));
export const u64safebe = (r, at) => safe(r, at, u64numberbe(r, at));
// The same of what a stored integer stands for.
export const numberOf = (r, at, big) => Number(big);
export const safeOf = (r, at, big) => safe(r, at, Number(big));

export const bool = (r, at) => r.b[at] !== 0;

// Floats that are stored with some bits turned round: the default's, so that zeros mean it.
const bits = /*#__PURE__*/ new DataView(/*#__PURE__*/ new ArrayBuffer(8));

export function f32xor(r, at, mask) {
  bits.setUint32(0, r.v.getUint32(at, true) ^ mask);
  return bits.getFloat32(0);
}

export function f64xor(r, at, mask) {
  bits.setBigUint64(0, r.v.getBigUint64(at, true) ^ mask);
  return bits.getFloat64(0);
}


const hex = /*#__PURE__*/ Array.from({ length: 256 }, (_, octet) => octet.toString(16).padStart(2, "0"));

export function uuid(r, at) {
  let text = "";
  for (let i = 0; i < 16; i++) text += (i === 4 || i === 6 || i === 8 || i === 10 ? "-" : "") + hex[r.b[at + i]];
  return text;
}

/** A coefficient of 12 bytes, two zeros, a scale, a sign. */
export function decimal(r, at) {
  const scale = r.b[at + 14];
  const sign = r.b[at + 15];
  if (r.b[at + 12] !== 0 || r.b[at + 13] !== 0 || scale > 28 || (sign !== 0 && sign !== 0x80)) fail(r, "bad-value", at);
  const coefficient = r.v.getBigUint64(at, true) | (BigInt(r.v.getUint32(at + 8, true)) << 64n);
  return new Decimal(sign !== 0, coefficient, scale);
}

/** Null where the stored value is the one that stands for it. */
export const or = (value, none) => (Object.is(value, none) ? null : value);
export const orNaN = (value) => (value !== value ? null : value);
/** The value that `of` makes of a value, unless it is null. */
export const apply = (value, of) => (value === null ? null : of(value));

/** Text in so many bytes, up to the first zero byte; `read` is that of its encoding. */
export function charsAt(r, at, width, read) {
  let stop = at;
  while (stop < at + width && r.b[stop] !== 0) stop++;
  return read(r, at, stop);
}

export const chars = (width, read) => (r, at) => charsAt(r, at, width, read);

// Functions that make a value of the bytes in [at, stop).
export const utf8 = (r, at, stop) => readText(r.b, at, stop);
export function strictUtf8(r, at, stop) {
  if (!isText(r.b, at, stop)) fail(r, "bad-text", at);
  return readText(r.b, at, stop);
}
export const latin1 = (r, at, stop) => readLatin1(r.b, at, stop);
export const octets = (r, at, stop) => r.b.slice(at, stop);
/** Bytes in the message's own memory. */
export const shared = (r, at, stop) => r.b.subarray(at, stop);

/** Values at a stride; `make` makes a list of them. */
export const array = (count, stride, read, make) => (r, at) => values(r, at, count, stride, read, make);

export function values(r, at, count, stride, read, make) {
  const items = [];
  try {
    while (items.length < count) items.push(read(r, at + items.length * stride));
  } catch (error) {
    throw within(error, items.length);
  }
  return make(items);
}

/** A record that lies where it is whole; `rows` is a function, as records may come later in a module. */
export const nest = (of, rows) => (r, at) => of(...rows().map((row) => readRow(r, at, row, Infinity, Infinity)));

/** The value of a row of the run at `base`, if so many bytes of it and such a version hold it; else the row's missing value. */
export function readRow(r, base, row, extent, version) {
  if ((row.reach ?? row.end) > extent || (row.since ?? 0) > version) return row.missing?.();
  try {
    if (row.of === undefined) return row.read(r, base + row.at);
    return row.of(...row.rows.filter(isPlain).map((member) => readRow(r, base, member, extent, version)));
  } catch (error) {
    throw within(error, row.name);
  }
}

const isPlain = (row) => row.read !== undefined || row.of !== undefined;

/** The values of a run's rows that are read at once. */
export function readRows(r, run, base, extent, version) {
  return run.plain.map((row) => readRow(r, base, row, extent, version));
}

/**
 * A run of bytes: its size, how many of them there are (`extent`: 0 for its size, -1 for what a head said, else the bytes of its
 * own head that say it), the newest version of its rows, what it is charged beside its bytes, and its rows.
 */
export class Run {
  #made;
  #rows;
  #plain;

  constructor(size, extent, newest, extras, rows) {
    this.size = size;
    this.extent = extent;
    this.newest = newest;
    this.extras = extras;
    this.#made = rows;
  }

  get rows() {
    return (this.#rows ??= this.#made());
  }

  get plain() {
    return (this.#plain ??= this.rows.filter(isPlain));
  }

}

/** The charge for a run of `extent` bytes, beside the bytes themselves. */
export function extraWithin({ extras }, extent) {
  let i = extras.length - 1;
  while (i >= 0 && extras[i][0] > extent) i--;
  return i < 0 ? 0 : extras[i][1];
}

/** The charge of a record for the fields that lie behind the end of its bytes; see `Lacks` in the compiler. */
export function lackWithin([block, pointers, parts], bytes, pointerBytes, version) {
  let sum = beyond(block, bytes) + beyond(pointers, pointerBytes);
  for (let i = 0; i < parts.length; i++) if (parts[i][0] > version) sum += parts[i][1];
  return sum;
}

/** Ends ascend. */
function beyond(rows, there) {
  let sum = 0;
  for (let i = rows.length - 1; i >= 0 && rows[i][0] > there; i--) sum += rows[i][1];
  return sum;
}

