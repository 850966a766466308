import { fail } from "./frame.js";
import { aimAt, bodyOf, isCapability, isNull, isRecord, listSize, tagAt } from "./segments.js";
import { Opaque } from "./opaque.js";
import { claim, Writer } from "./writer.js";

const WORD = 8;

/** A flat message of what the pointer at `at` leads to, copied whole. */
export function keepAt(r, at, segment) {
  const f = new Writer(256);
  f.at = WORD;
  copyPointer(r, f, at, segment, 0);
  return new Opaque(f.b.slice(0, f.at));
}

/** The same for messages as they usually are, which have one segment. */
export function keepNear(f, at) {
  f.segments = [[f.first, f.end]];
  return keepAt(f, at, 0);
}

/**
 * Copies what the pointer at `at` of the frame leads to behind what is written, an object's own words before what its pointers lead to,
 * left to right; the word at `slot` points to the copy. In canonical form sections end with their last word that is not zero.
 */
export function copyPointer(r, f, at, segment, slot, canonical = false) {
  const aim = aimAt(r, at, segment);
  pay(r, aim.pads, at);
  if (isNull(aim)) return;
  if (isCapability(aim)) {
    if (canonical) fail(r, "bad-value", at);
    put(f, slot, 3, aim.index);
    return;
  }
  if (r.depth === 0) fail(r, "too-deep", at);
  r.depth--;
  if (isRecord(aim)) copyRecord(r, f, aim, at, slot, canonical);
  else if (aim.code === 7) copyRecords(r, f, aim, at, slot, canonical);
  else if (aim.code === 6) copyPointers(r, f, aim, at, slot, canonical);
  else copyScalars(r, f, aim, at, slot);
  r.depth++;
}

function pay(r, words, at) {
  if (words * WORD > r.left) fail(r, "too-large", at);
  r.left -= words * WORD;
}

function put(f, at, lower, upper) {
  f.v.setUint32(at, lower, true);
  f.v.setUint32(at + 4, upper, true);
}

/** Room for an object, to which `slot` points; an empty record is nowhere. */
function object(f, slot, words, kind, upper) {
  const at = claim(f, words * WORD);
  put(f, slot, ((kind === 0 && words === 0 ? -1 : (at - slot) / WORD - 1) << 2) | kind, upper);
  return at;
}

/** Copies words of data, then what the pointers behind them lead to. */
function copyWords(r, f, { at, data, pointersAt, pointers }, to, segment, canonical) {
  f.b.set(r.b.subarray(at, at + data * WORD), to);
  const slots = to + data * WORD;
  for (let i = 0; i < pointers; i++) copyPointer(r, f, pointersAt + i * WORD, segment, slots + i * WORD, canonical);
}

function trimmed(r, body, canonical) {
  let { data, pointers } = body;
  const isZero = (at) => r.v.getUint32(at, true) === 0 && r.v.getUint32(at + 4, true) === 0;
  while (canonical && pointers > 0 && isZero(body.pointersAt + (pointers - 1) * WORD)) pointers--;
  while (canonical && data > 0 && isZero(body.at + (data - 1) * WORD)) data--;
  return { ...body, data, pointers };
}

function copyRecord(r, f, aim, at, slot, canonical) {
  const words = aim.data + aim.pointers;
  const from = bodyOf(r, aim, at, words * WORD);
  pay(r, words, at);
  const body = trimmed(r, { at: from, data: aim.data, pointersAt: from + aim.data * WORD, pointers: aim.pointers }, canonical);
  const to = object(f, slot, body.data + body.pointers, 0, body.data | (body.pointers << 16));
  copyWords(r, f, body, to, aim.segment, canonical);
}

function copyPointers(r, f, aim, at, slot, canonical) {
  const from = bodyOf(r, aim, at, aim.count * WORD);
  pay(r, aim.count, at);
  const to = object(f, slot, aim.count, 1, 6 | (aim.count << 3));
  copyWords(r, f, { at: from, data: 0, pointersAt: from, pointers: aim.count }, to, aim.segment, canonical);
}

function copyScalars(r, f, aim, at, slot) {
  const bits = [0, 1, 8, 16, 32, 64][aim.code] * aim.count;
  const words = listSize(aim) / WORD;
  const from = bodyOf(r, aim, at, words * WORD);
  pay(r, aim.code === 0 ? aim.count : words, at);
  const to = object(f, slot, words, 1, aim.code | (aim.count << 3));
  const whole = Math.floor(bits / 8);
  f.b.set(r.b.subarray(from, from + whole), to);
  if (bits % 8 !== 0) f.b[to + whole] = r.b[from + whole] & ((1 << (bits % 8)) - 1);
}

function copyRecords(r, f, aim, at, slot, canonical) {
  const start = bodyOf(r, aim, at, listSize(aim));
  pay(r, aim.count + 1, at);
  const tag = tagAt(r, start, aim.count);
  const stride = tag.data + tag.pointers;
  if (stride === 0) pay(r, tag.count, at);
  const element = (i) => {
    const from = start + WORD + i * stride * WORD;
    return { at: from, data: tag.data, pointersAt: from + tag.data * WORD, pointers: tag.pointers };
  };
  // All are as long as the longest.
  let { data, pointers } = canonical ? { data: 0, pointers: 0 } : tag;
  for (let i = 0; canonical && i < tag.count; i++) {
    const body = trimmed(r, element(i), true);
    data = Math.max(data, body.data);
    pointers = Math.max(pointers, body.pointers);
  }
  const own = tag.count * (data + pointers);
  const to = object(f, slot, own + 1, 1, 7 | (own << 3));
  put(f, to, tag.count << 2, data | (pointers << 16));
  for (let i = 0; i < tag.count; i++) {
    copyWords(r, f, { ...element(i), data, pointers }, to + (1 + i * (data + pointers)) * WORD, aim.segment, canonical);
  }
}
