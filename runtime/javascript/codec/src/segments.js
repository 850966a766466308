import { utf8 } from "./cells.js";
import { fail } from "./frame.js";
import { isText } from "./text.js";
import { charge as pay, refuse } from "./usual.js";

// Messages of segments of 8-byte words, and the pointers between them (Cap'n Proto encoding specification, "Pointers", "Serialization
// Over a Stream"). What they are charged stands in the compiler (`compiler/plan/src/budget.rs`).

const WORD = 8;
const MOST_SEGMENTS = 511;
const EMPTY_ELEMENT = 8;
const LINK = 24;

/** Bits of an element by its code; of a list of pointers those are pointers. */
const BITS = [0, 1, 8, 16, 32, 64, 64, 0];

const RECORDS = 7;

export const wholeWords = (bytes) => Math.ceil(bytes / WORD) * WORD;

/** Notes where the segments are: the first byte of each, and the first behind it. Gives where the first begins. */
export function openSegments(r, table) {
  r.segments = table ? fromTable(r) : [[r.start, r.end - ((r.end - r.start) % WORD)]];
  const [from, to] = r.segments[0];
  if (to - from < WORD) fail(r, "truncated", from);
  r.end = r.segments.at(-1)[1];
  return from;
}

function fromTable(r) {
  const number = (i) => r.v.getUint32(r.start + 4 * i, true);
  if (r.end - r.start < 4) fail(r, "truncated", r.end);
  if (number(0) >= MOST_SEGMENTS) fail(r, "bad-count", r.start);
  const count = number(0) + 1;
  let from = r.start + ((count >> 1) + 1) * WORD;
  if (from > r.end) fail(r, "truncated", r.end);
  const segments = [];
  for (let i = 1; i <= count; i++) {
    const size = number(i) * WORD;
    if (size > r.end - from) fail(r, "truncated", r.start + 4 * i);
    segments.push([from, from + size]);
    from += size;
  }
  return segments;
}

// The kinds of things that a pointer may lead to.
const NULL = 0;
const RECORD = 1;
const LIST = 2;
const CAPABILITY = 3;

/** The target of the pointer at `at`, which may be outside of its segment. `pads` are the words of landing pads on the way. */
export function aimAt(r, at, segment) {
  if (r.v.getUint32(at, true) === 0 && r.v.getUint32(at + 4, true) === 0) return { kind: NULL, pads: 0 };
  if ((r.b[at] & 3) !== 2) return near(r, at, segment, 0);
  if ((r.b[at] & 4) === 0) {
    const [to, pad] = landing(r, at, 1);
    if ((r.b[pad] & 3) === 2) fail(r, "bad-value", pad);
    return near(r, pad, to, 1);
  }
  const pad = landing(r, at, 2)[1];
  if ((r.b[pad] & 7) !== 2) fail(r, "bad-value", pad);
  const [to, body] = landing(r, pad, 0);
  const tag = pad + WORD;
  if ((r.b[tag] & 3) === 2) fail(r, "bad-value", tag);
  return { ...near(r, tag, to, 2), at: body };
}

/** The segment and the place in it that the far pointer at `at` names, with so many words behind it. */
function landing(r, at, words) {
  const segment = r.v.getUint32(at + 4, true);
  const offset = (r.v.getUint32(at, true) >>> 3) * WORD;
  const found = r.segments[segment];
  if (found === undefined || offset + words * WORD > found[1] - found[0]) fail(r, "bad-pointer", at);
  return [segment, found[0] + offset];
}

function near(r, at, segment, pads) {
  const lower = r.v.getInt32(at, true);
  const upper = r.v.getUint32(at + 4, true);
  const aim = { segment, pads, at: at + WORD + (lower >> 2) * WORD };
  if ((lower & 3) === 0) return { kind: RECORD, data: upper & 0xffff, pointers: upper >>> 16, ...aim };
  if ((lower & 3) === 1) return { kind: LIST, code: upper & 7, count: upper >>> 3, ...aim };
  return lower === 3 ? { kind: CAPABILITY, index: upper, ...aim } : fail(r, "bad-value", at);
}

export const isNull = (aim) => aim.kind === NULL;
export const isRecord = (aim) => aim.kind === RECORD;
export const isList = (aim) => aim.kind === LIST;
export const isCapability = (aim) => aim.kind === CAPABILITY;

/** The first byte of an object of so many bytes, to which the pointer at `at` leads. */
export function bodyOf(r, { segment, kind, at: start }, at, size) {
  const [from, to] = r.segments[segment];
  if (size === 0) return from;
  if (start < from || start > to) fail(r, "bad-pointer", at);
  if (size > to - start) fail(r, kind === LIST ? "bad-count" : "bad-pointer", at);
  return start;
}

/** The shape that the tag at `at` gives a list of records, behind which so many words are there. */
export function tagAt(r, at, words) {
  const lower = r.v.getUint32(at, true);
  const upper = r.v.getUint32(at + 4, true);
  if ((lower & 3) !== 0) fail(r, "bad-value", at);
  const tag = { count: (lower >>> 2) & 0x1fffffff, data: upper & 0xffff, pointers: upper >>> 16 };
  if (tag.count * (tag.data + tag.pointers) > words) fail(r, "bad-count", at);
  return tag;
}

/** Bytes of a list's elements, which have no tag. */
export const listSize = ({ code, count }) => (code === RECORDS ? (count + 1) * WORD : wholeWords((BITS[code] * count) / 8));

/**
 * A list's first element, how many it has, bits from one to the next, bytes of data and of pointers in each, and how many bits each
 * has that is no record and no pointer. `charge` takes what it is charged.
 */
export function listAt(r, aim, at, charge) {
  if (aim.kind !== LIST) fail(r, "bad-value", at);
  const tagged = aim.code === RECORDS;
  const size = listSize(aim);
  const start = bodyOf(r, aim, at, size);
  charge(r, size, at);
  const pointer = Number(aim.code === 6);
  const { count, data, pointers } = tagged ? tagAt(r, start, aim.count) : { count: aim.count, data: 0, pointers: pointer };
  const bits = tagged ? data * 64 : BITS[aim.code] * (1 - pointer);
  const stride = bits + pointers * 64;
  if (stride === 0) charge(r, count * EMPTY_ELEMENT, at);
  if (r.surcharge) charge(r, count * pointers * LINK, at);
  return [tagged ? start + WORD : start, count, stride, Math.floor(bits / 8), pointers * WORD, tagged ? 0 : bits];
}

/** The difference in charge between an element without bytes and one of so many bits. */
export const shortOf = (bits) => (bits === 0 ? 0 : Math.max(0, EMPTY_ELEMENT - Math.floor(bits / 8)));

/** Booleans side by side; `make` makes a list of them. */
export function bitsAt(r, at, count, make) {
  const items = [];
  for (let i = 0; i < count; i++) items.push(((r.b[at + (i >> 3)] >> (i & 7)) & 1) === 1);
  return make(items);
}

// The same for messages as they usually are: of one segment, whose pointers are all near. What is unusual is refused. A pointer is
// given as its two halves.

/** The begin of the one segment. */
export function openOne(f, table) {
  const size = f.end - f.start;
  let from = f.start;
  if (table) {
    if (size < 2 * WORD || f.v.getUint32(from, true) !== 0) refuse();
    const words = f.v.getUint32(from + 4, true);
    from += WORD;
    if (words === 0 || words * WORD > f.end - from) refuse();
    f.end = from + words * WORD;
  } else {
    if (size < WORD) refuse();
    f.end -= size % WORD;
  }
  f.first = from;
  return from;
}

function bodyNear(f, at, lower, size) {
  if (size === 0) return f.first;
  const start = at + WORD + (lower >> 2) * WORD;
  if (start < f.first || size > f.end - start) refuse();
  pay(f, size);
  return start;
}

/** A record's data, behind which its pointers are. */
export function recordNear(f, at, lower, upper) {
  if ((lower & 3) !== 0) refuse();
  return bodyNear(f, at, lower, ((upper & 0xffff) + (upper >>> 16)) * WORD);
}

function octetsNear(f, at, lower, upper) {
  if ((lower & 3) !== 1 || (upper & 7) !== 2) refuse();
  return bodyNear(f, at, lower, ((upper >>> 3) + 7) & -WORD);
}

export function textNear(f, at, lower, upper) {
  const start = octetsNear(f, at, lower, upper);
  const stop = start + (upper >>> 3) - 1;
  if (stop < start || f.b[stop] !== 0) refuse();
  return utf8(f, start, stop);
}

/** The same of text that must be UTF-8. */
export function strictTextNear(f, at, lower, upper) {
  const start = octetsNear(f, at, lower, upper);
  const stop = start + (upper >>> 3) - 1;
  if (stop < start || f.b[stop] !== 0 || !isText(f.b, start, stop)) refuse();
  return utf8(f, start, stop);
}

export function bytesNear(f, at, lower, upper) {
  const start = octetsNear(f, at, lower, upper);
  return f.b.slice(start, start + (upper >>> 3));
}

export function sharedNear(f, at, lower, upper) {
  const start = octetsNear(f, at, lower, upper);
  return f.b.subarray(start, start + (upper >>> 3));
}

/** Checks the same without making a value. */
export function isTextNear(f, at, lower, upper) {
  // As one function, since engines put only so many into another.
  const count = upper >>> 3;
  const size = (count + 7) & -WORD;
  const start = at + WORD + (lower >> 2) * WORD;
  if ((lower & 3) !== 1 || (upper & 7) !== 2 || count === 0 || start < f.first || size > f.end - start) refuse();
  if (f.b[start + count - 1] !== 0 || (f.left -= size) < 0) refuse();
}

export const isStrictTextNear = (f, at, lower, upper) => void strictTextNear(f, at, lower, upper);

export const isBytesNear = (f, at, lower, upper) => void octetsNear(f, at, lower, upper);

/** A list's first element; what else is known of it is noted in the frame. */
export function listNear(f, at, lower, upper) {
  if ((lower & 3) !== 1) refuse();
  const code = upper & 7;
  const size = upper >>> 3;
  if (code === RECORDS) return recordsNear(f, at, lower, size);
  const pointers = code === 6 ? WORD : 0;
  f.count = size;
  f.stride = BITS[code];
  f.bits = pointers === 0 ? BITS[code] : 0;
  f.dataSize = f.bits >> 3;
  f.pointersSize = pointers;
  const first = bodyNear(f, at, lower, wholeWords((size * BITS[code]) / 8));
  if (code === 0) pay(f, size * EMPTY_ELEMENT);
  if (pointers > 0 && f.surcharge) pay(f, size * LINK);
  return first;
}

function recordsNear(f, at, lower, size) {
  const tag = at + WORD + (lower >> 2) * WORD;
  let cost = (size + 1) * WORD;
  if (tag < f.first || cost > f.end - tag) refuse();
  const kind = f.v.getUint32(tag, true);
  const sizes = f.v.getUint32(tag + 4, true);
  const words = (sizes & 0xffff) + (sizes >>> 16);
  const count = (kind >>> 2) & 0x1fffffff;
  if (words === 0) cost += count * EMPTY_ELEMENT;
  if (f.surcharge) cost += count * (sizes >>> 16) * LINK;
  if ((kind & 3) !== 0 || count * words > size || (f.left -= cost) < 0) refuse();
  f.count = count;
  f.stride = words * 64;
  f.bits = 0;
  f.dataSize = (sizes & 0xffff) * WORD;
  f.pointersSize = (sizes >>> 16) * WORD;
  return tag + WORD;
}
