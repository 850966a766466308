import { copyPointer } from "./copy.js";
import { CodecError, within } from "./error.js";
import { defaultLimits } from "./frame.js";
import { Opaque } from "./opaque.js";
import { pack as packed, unpackedLimit } from "./packing.js";
import { wholeWords } from "./segments.js";
import { boolOf, putBytes, putText, readable, wrong } from "./write.js";
import { claim, growTo, outOfRange } from "./writer.js";

// Segments of words, as they are written: there is one.

const WORD = 8;

/** The most words of a segment, elements of a list, and bytes of one with its zero byte. */
const MOST = 2 ** 29 - 1;

/** More charge than any message has. */
const PLENTY = 2 ** 52;

/** Puts into the word at `at` the pointer to an object at `to`. */
export function point(f, at, to, kind, upper) {
  f.v.setInt32(at, (((to - at) / WORD - 1) << 2) | kind, true);
  f.v.setUint32(at + 4, upper, true);
}

/** Room for a list of `count` elements of so many bits, and the pointer to it at `at`. Gives where it begins. */
export function list(f, at, count, code, bits) {
  if (count > MOST) outOfRange();
  const to = claim(f, wholeWords((count * bits) / 8));
  point(f, at, to, 1, code | (count << 3));
  return to;
}

/** The same for records of so many words, behind their tag. */
export function records(f, at, count, data, pointers) {
  const words = count * (data + pointers);
  if (count > MOST || words > MOST) outOfRange();
  const tag = claim(f, (1 + words) * WORD);
  point(f, at, tag, 1, 7 | (words << 3));
  f.v.setUint32(tag, count << 2, true);
  f.v.setUint32(tag + 4, data | (pointers << 16), true);
  return tag + WORD;
}

/** A text with a zero byte at the end, and the pointer to it at `at`. */
export function textBehind(f, at, text) {
  octetsBehind(f, at, putText(f, text, 0), 1);
}

export function bytesBehind(f, at, bytes) {
  octetsBehind(f, at, putBytes(f, bytes, 0), 0);
}

/** Takes the bytes that were put at the end. */
function octetsBehind(f, at, size, zeros) {
  const count = size + zeros;
  if (count > MOST) outOfRange();
  point(f, at, f.at, 1, 2 | (count << 3));
  claim(f, wholeWords(count));
}

/** Booleans as bits side by side. */
export function bits(f, at, list) {
  for (let i = 0; i < list.length; i++) {
    try {
      f.b[at + (i >> 3)] |= boolOf(list[i]) << (i & 7);
    } catch (error) {
      throw within(error, i);
    }
  }
}

/** A copy of what the root of a flat message leads to, and the pointer to it at `at`. */
export function plant(f, at, value) {
  if (!(value instanceof Opaque) || !(value.bytes instanceof Uint8Array) || value.bytes.length < WORD) wrong();
  const b = value.bytes;
  const v = new DataView(b.buffer, b.byteOffset, b.length);
  const r = { b, v, start: 0, segments: [[0, b.length]], left: PLENTY, depth: f.depth };
  const before = f.at;
  copied(r, f, 0, at, false);
  f.charged += Math.max(0, PLENTY - r.left - (f.at - before));
}

function copied(r, f, at, slot, canonical) {
  try {
    copyPointer(r, f, at, 0, slot, canonical);
  } catch (error) {
    // No place in the value.
    if (error instanceof CodecError) error.offset = null;
    throw error;
  }
}

/** Leaves room for the table in front. */
export function openTable(f) {
  f.at += WORD;
  f.start = f.at;
}

/** The one segment is complete. */
export function finish(f, table) {
  const words = (f.at - f.start) / WORD;
  if (words > MOST) outOfRange();
  if (!table) return;
  f.start -= WORD;
  f.v.setUint32(f.start + 4, words, true);
}

/** Makes of the words their canonical form. */
export function trim(f) {
  const whole = f.at - f.start;
  if (whole / WORD > MOST) outOfRange();
  const b = f.b.slice(f.start, f.at);
  const r = { b, v: new DataView(b.buffer), start: 0, segments: [[0, whole]], left: PLENTY, depth: defaultLimits.depth };
  f.b.fill(0, f.start, f.at);
  f.at = f.start + WORD;
  copied(r, f, 0, f.start, true);
  f.charged += 8 * (whole - (f.at - f.start));
}

/** Packs what is written, table and segment each by itself, if it can be read again. */
export function pack(f, usual, routine) {
  const parts = [packed(f.b, f.start, f.start + WORD), packed(f.b, f.start + WORD, f.at)];
  const size = parts[0].length + parts[1].length;
  if (f.charged > defaultLimits.budgetBase && f.at - f.start > unpackedLimit(size)) {
    throw new CodecError("too-large", null, [], "packed, the message is too small for what it would be unpacked to");
  }
  readable(f, usual, routine);
  f.b.fill(0, f.start, f.at);
  if (f.start + size > f.room) growTo(f, f.start + size);
  f.at = f.start + size;
  f.b.set(parts[0], f.start);
  f.b.set(parts[1], f.start + parts[0].length);
}
