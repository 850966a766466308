// A byte order mark is text to Erlang, so it must not be swallowed.
const strict = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });
const char = String.fromCharCode;

// Up to SHORT bytes a string made of its codes beats a call of TextDecoder. Up to MEDIUM bytes the call costs more
// than its work, so several strings share one: a window of the frame is decoded at once and strings are cut out.
// A string so cut keeps its window alive, which is why a window is no bigger than this.
const SHORT = 16;
const MEDIUM = 256;
const WINDOW = 2048;

const masked = new Uint8Array(WINDOW);
const maskedWords = new Uint32Array(masked.buffer);

let window = "";
let windowAt = 0;
let windowStop = 0;
// Strings to read one by one before the next window, and strings the present window gave. A window pays for itself
// from the third string on.
let patience = 2;
let served = 0;
// Places in the window, in words of four bytes, that are not ASCII; the last entry lies behind everything.
const dirty = new Uint16Array(WINDOW / 4 + 1);
let nextDirty = 0;

/** Called after a frame is read: the next one has other bytes, and nothing of this one is to be kept. */
export function resetText() {
  window = "";
  windowAt = windowStop = 0;
  patience = 2;
  served = 3;
}

/** The text in bytes[at, stop), or undefined if it is not UTF-8. */
export function readText(bytes, at, stop) {
  const n = stop - at;
  if (n <= SHORT) return readShort(bytes, at, stop);
  return n <= MEDIUM ? readMedium(bytes, at, stop) : readAlone(bytes, at, stop);
}

function readAlone(bytes, at, stop) {
  try {
    return strict.decode(bytes.subarray(at, stop));
  } catch {
    return undefined;
  }
}

function readMedium(bytes, at, stop) {
  if (stop > windowStop) {
    if (!shiftWindow(bytes, at)) return readAlone(bytes, at, stop);
  }
  const from = at - windowAt;
  const to = stop - windowAt;
  while (dirty[nextDirty] + 4 <= from) nextDirty++;
  if (dirty[nextDirty] < to && !isAscii(bytes, at, stop)) return readAlone(bytes, at, stop);
  served++;
  return window.slice(from, to);
}

function isAscii(bytes, at, stop) {
  let seen = 0;
  for (let i = at; i < stop; i++) seen |= bytes[i];
  return seen < 128;
}

/** Opens a window at `at` if that is likely to pay. */
function shiftWindow(bytes, at) {
  if (patience > 0) {
    patience--;
    return false;
  }
  if (served < 3) {
    patience = 8;
    served = 3;
    return false;
  }
  openWindow(bytes, at);
  return true;
}

/**
 * Decodes a window from `at` on. Bytes between the strings may be anything, so all lose their highest bit: what is
 * left is ASCII, with bytes and characters at the same places, and right for strings that are ASCII themselves.
 */
function openWindow(bytes, at) {
  windowAt = at;
  windowStop = Math.min(bytes.length, at + WINDOW);
  const n = windowStop - at;
  masked.set(bytes.subarray(at, windowStop));
  let found = 0;
  for (let i = 0, words = (n + 3) >> 2; i < words; i++) {
    if ((maskedWords[i] & 0x80808080) !== 0) {
      maskedWords[i] &= 0x7f7f7f7f;
      dirty[found++] = i << 2;
    }
  }
  dirty[found] = WINDOW;
  nextDirty = 0;
  window = strict.decode(n === WINDOW ? masked : masked.subarray(0, n));
  served = 0;
}

// One call of String.fromCharCode with all codes makes one flat string; joining parts would make a rope.
function readShort(b, p, stop) {
  if (!isAscii(b, p, stop)) return readAlone(b, p, stop);
  const n = stop - p;
  return n < 9 ? upTo8(b, p, n) : upTo16(b, p, n);
}

function upTo8(b, p, n) {
  switch (n) {
    case 0: return "";
    case 1: return char(b[p]);
    case 2: return char(b[p], b[p + 1]);
    case 3: return char(b[p], b[p + 1], b[p + 2]);
    case 4: return char(b[p], b[p + 1], b[p + 2], b[p + 3]);
    case 5: return char(b[p], b[p + 1], b[p + 2], b[p + 3], b[p + 4]);
    case 6: return char(b[p], b[p + 1], b[p + 2], b[p + 3], b[p + 4], b[p + 5]);
    case 7: return char(b[p], b[p + 1], b[p + 2], b[p + 3], b[p + 4], b[p + 5], b[p + 6]);
    default: return char(b[p], b[p + 1], b[p + 2], b[p + 3], b[p + 4], b[p + 5], b[p + 6], b[p + 7]);
  }
}

function upTo16(b, p, n) {
  switch (n) {
    case 9: return char(b[p], b[p + 1], b[p + 2], b[p + 3], b[p + 4], b[p + 5], b[p + 6], b[p + 7], b[p + 8]);
    case 10: return char(b[p], b[p + 1], b[p + 2], b[p + 3], b[p + 4], b[p + 5], b[p + 6], b[p + 7], b[p + 8], b[p + 9]);
    case 11: return char(b[p], b[p + 1], b[p + 2], b[p + 3], b[p + 4], b[p + 5], b[p + 6], b[p + 7], b[p + 8], b[p + 9], b[p + 10]);
    case 12: return char(b[p], b[p + 1], b[p + 2], b[p + 3], b[p + 4], b[p + 5], b[p + 6], b[p + 7], b[p + 8], b[p + 9], b[p + 10], b[p + 11]);
    case 13: return char(b[p], b[p + 1], b[p + 2], b[p + 3], b[p + 4], b[p + 5], b[p + 6], b[p + 7], b[p + 8], b[p + 9], b[p + 10], b[p + 11], b[p + 12]);
    case 14: return char(b[p], b[p + 1], b[p + 2], b[p + 3], b[p + 4], b[p + 5], b[p + 6], b[p + 7], b[p + 8], b[p + 9], b[p + 10], b[p + 11], b[p + 12], b[p + 13]);
    case 15: return char(b[p], b[p + 1], b[p + 2], b[p + 3], b[p + 4], b[p + 5], b[p + 6], b[p + 7], b[p + 8], b[p + 9], b[p + 10], b[p + 11], b[p + 12], b[p + 13], b[p + 14]);
    default: return char(b[p], b[p + 1], b[p + 2], b[p + 3], b[p + 4], b[p + 5], b[p + 6], b[p + 7], b[p + 8], b[p + 9], b[p + 10], b[p + 11], b[p + 12], b[p + 13], b[p + 14], b[p + 15]);
  }
}
