import { readText } from "./text.js";

// Map keys come again and again, and V8 stores a property fastest under a string it has seen as a key before.
// So keys are remembered by their bytes in a table of fixed size: SLOTS keys of up to LONGEST bytes, one a slot.
const SLOTS = 1024;
const LONGEST = 32;
const strings = new Array(SLOTS).fill("");
const lengths = new Uint8Array(SLOTS);
const memory = new Uint8Array(SLOTS * LONGEST);
// The slot of the key that followed this one the last time: maps of one shape are read without hashing.
const next = new Uint16Array(SLOTS);

let slot = 0;

/** The slot of the key that was read last; 0 if it has none. */
export function keySlot() {
  return slot;
}

function holds(candidate, bytes, at, n) {
  if (lengths[candidate] !== n) return false;
  for (let i = 0, m = candidate * LONGEST; i < n; i++, m++) {
    if (memory[m] !== bytes[at + i]) return false;
  }
  return true;
}

/** The key in bytes[at, stop), which follows the key in slot `previous`; undefined if it is not UTF-8. */
export function readKeyAfter(previous, bytes, at, stop) {
  const guess = next[previous];
  if (holds(guess, bytes, at, stop - at)) {
    slot = guess;
    return strings[guess];
  }
  const key = readKey(bytes, at, stop);
  next[previous] = slot;
  return key;
}

/** The key in bytes[at, stop), undefined if it is not UTF-8. */
export function readKey(bytes, at, stop) {
  const n = stop - at;
  if (n > LONGEST || n === 0) {
    slot = 0;
    return readText(bytes, at, stop);
  }
  let hash = n;
  for (let i = at; i < stop; i++) hash = (Math.imul(hash, 31) + bytes[i]) | 0;
  slot = (hash ^ (hash >>> 10) ^ (hash >>> 20)) & (SLOTS - 1);
  return holds(slot, bytes, at, n) ? strings[slot] : remember(bytes, at, n);
}

function remember(bytes, at, n) {
  const key = readText(bytes, at, at + n);
  if (key === undefined) return undefined;
  strings[slot] = key;
  lengths[slot] = n;
  for (let i = 0; i < n; i++) memory[slot * LONGEST + i] = bytes[at + i];
  return key;
}
