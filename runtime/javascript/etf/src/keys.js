import { readLatin1, readText } from "./text.js";

// Map keys come again and again, and engines store a property fastest under a string they have seen as a key
// before. So keys are remembered by their encoding (tag, length, text) in a table of fixed size, and with each key
// the one that followed it last: maps of one shape are then read without hashing, or making a single string.
const SLOTS = 1024;
const LONGEST = 32;
const TURNS = 4096;

/** The keys by slot. Slot 0 stands for "no key". */
export const strings = new Array(SLOTS).fill("");
/** How many bytes a key takes in a frame; 0 for a slot that is empty, as slot 0 always is. */
export const sizes = new Uint8Array(SLOTS);
/** The slot of the key (or atom) that came at this turn the last time. */
export const next = new Uint16Array(TURNS);
const memory = new Uint8Array(SLOTS * LONGEST);

/**
 * The turn after the key in slot `last` (0: none yet) in a map that is the value of the key in slot `parent`. With a
 * `last` of 1, the turn of an atom that has this byte. Turns may share a number: what `next` says is only a guess.
 */
export function turn(parent, last) {
  return (parent * 37 + last) & (TURNS - 1);
}

/** Whether bytes[at, end) begin with the key in this slot. */
export function holds(slot, bytes, at, end) {
  const n = sizes[slot];
  if (n === 0 || n > end - at) return false;
  for (let i = 0, m = slot * LONGEST; i < n; i++) {
    if (memory[m + i] !== bytes[at + i]) return false;
  }
  return true;
}

/**
 * The slot for the key encoded in bytes[at, stop); 0 if it is too long for the table. Each key may be in two slots (2
 * and up), so that two keys of one map seldom push each other out.
 */
export function slotOf(bytes, at, stop) {
  if (stop - at > LONGEST) return 0;
  let hash = 0;
  for (let i = at; i < stop; i++) hash = (hash * 31 + bytes[i]) >>> 0;
  const slot = (hash % (SLOTS - 2)) + 2;
  return sizes[slot] === 0 || holds(slot, bytes, at, stop) ? slot : slot ^ 1;
}

/**
 * The text of the key encoded in bytes[at, stop) after a header; undefined if it is not UTF-8. It is remembered in
 * its slot, but no name that objects inherit, "__proto__" above all, so that remembered keys may be assigned.
 */
export function readKey(slot, bytes, at, header, stop) {
  if (holds(slot, bytes, at, stop)) return strings[slot];
  const isLatin1 = bytes[at] === 100 || bytes[at] === 115;
  const text = (isLatin1 ? readLatin1 : readText)(bytes, at + header, stop);
  if (slot === 0 || text === undefined || text in {}) return text;
  strings[slot] = text;
  sizes[slot] = stop - at;
  for (let i = at, m = slot * LONGEST; i < stop; i++, m++) memory[m] = bytes[i];
  return text;
}
