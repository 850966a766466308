// A byte order mark is text to Erlang, so it must not be swallowed.
const lax = new TextDecoder("utf-8", { ignoreBOM: true });
const strict = new TextDecoder("utf-8", { ignoreBOM: true, fatal: true });
// A character a byte, so that strings can be cut out of what it made.
const single = new TextDecoder("latin1");
const char = String.fromCharCode;

// Up to SHORT bytes a string made of its codes beats a call of TextDecoder. Up to MEDIUM bytes the call costs more
// than its work, so several strings share one: a window of the frame is decoded at once and strings are cut out.
// A string so cut keeps its window alive, which is why a window is no bigger than this.
const SHORT = 8;
const MEDIUM = 256;
// The first call after a while takes some 25 us, as long as a small frame does without it. So the first so many medium
// strings of a frame are made of codes still, if they are no longer: one call of so many codes for all lengths.
const CODED = 64;
const LONGEST_CODED = 64;
const PADDED = 24;
const WINDOW = 2048;

let window = "";
let windowAt = 0;
let windowStop = 0;
// How many medium strings may still be made of codes.
let codedLeft = CODED;
// Medium strings that begin before this place follow closely on an ASCII one, so that a window is likely to pay.
let near = 0;

/** Called after a frame is read: the next one has other bytes, and nothing of this one is to be kept. */
export function resetText() {
  window = "";
  windowStop = near = 0;
  codedLeft = CODED;
}

/** The text in bytes[at, stop), or undefined if it is not UTF-8. */
export function readText(bytes, at, stop) {
  const n = stop - at;
  if (n <= SHORT) return readShort(bytes, at, stop);
  return n <= MEDIUM ? readMedium(bytes, at, stop) : readLong(bytes, at, stop);
}

function readAlone(bytes, at, stop) {
  try {
    return strict.decode(bytes.subarray(at, stop));
  } catch {
    return undefined;
  }
}

/** A decoder that cannot refuse is quicker, and where it wrote no U+FFFD there was nothing to refuse. */
function readLong(bytes, at, stop) {
  const text = lax.decode(bytes.subarray(at, stop));
  return text.includes("\ufffd") ? readAlone(bytes, at, stop) : text;
}

function readMedium(bytes, at, stop) {
  const n = stop - at;
  const outside = stop > windowStop;
  if (outside && n <= LONGEST_CODED && codedLeft > 0) return readCoded(bytes, at, stop);
  if (outside && at < near) openWindow(bytes, at);
  let text;
  if (stop <= windowStop && isAscii(bytes, at, stop)) {
    text = window.slice(at - windowAt, stop - windowAt);
  } else {
    text = readAlone(bytes, at, stop);
    if (text?.length !== n) return text;
  }
  near = stop + MEDIUM;
  return text;
}

function readCoded(bytes, at, stop) {
  codedLeft--;
  near = stop + MEDIUM;
  if (!isAscii(bytes, at, stop)) return readAlone(bytes, at, stop);
  return (stop - at <= PADDED ? padded : longPadded)(bytes, at).slice(0, stop - at);
}

function isAscii(bytes, at, stop) {
  let seen = 0;
  for (let i = at; i < stop; i++) seen |= bytes[i];
  return seen < 128;
}

/**
 * Decodes a window from `at` on. Bytes between the strings may be anything: latin1 makes one character of each, so that
 * bytes and characters are at the same places, and what is ASCII is right.
 */
function openWindow(bytes, at) {
  windowAt = at;
  windowStop = Math.min(bytes.length, at + WINDOW);
  window = single.decode(bytes.subarray(at, windowStop));
}

/** The text in bytes[at, stop), a byte a character. */
export function readLatin1(bytes, at, stop) {
  let text = "";
  while (at < stop) text += char(bytes[at++]);
  return text;
}

// One call of String.fromCharCode with all codes makes one flat string; joining parts would make a rope.
function readShort(b, p, stop) {
  if (!isAscii(b, p, stop)) return readAlone(b, p, stop);
  switch (stop - p) {
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

/** The next PADDED bytes as characters, whatever they are; those behind the frame's end are NUL. */
function padded(b, p) {
  return char(b[p], b[p + 1], b[p + 2], b[p + 3], b[p + 4], b[p + 5], b[p + 6], b[p + 7], b[p + 8], b[p + 9], b[p + 10], b[p + 11], b[p + 12], b[p + 13], b[p + 14], b[p + 15], b[p + 16], b[p + 17], b[p + 18], b[p + 19], b[p + 20], b[p + 21], b[p + 22], b[p + 23]);
}

/** The next LONGEST_CODED bytes. */
function longPadded(b, p) {
  return char(b[p], b[p + 1], b[p + 2], b[p + 3], b[p + 4], b[p + 5], b[p + 6], b[p + 7], b[p + 8], b[p + 9], b[p + 10], b[p + 11], b[p + 12], b[p + 13], b[p + 14], b[p + 15], b[p + 16], b[p + 17], b[p + 18], b[p + 19], b[p + 20], b[p + 21], b[p + 22], b[p + 23], b[p + 24], b[p + 25], b[p + 26], b[p + 27], b[p + 28], b[p + 29], b[p + 30], b[p + 31], b[p + 32], b[p + 33], b[p + 34], b[p + 35], b[p + 36], b[p + 37], b[p + 38], b[p + 39], b[p + 40], b[p + 41], b[p + 42], b[p + 43], b[p + 44], b[p + 45], b[p + 46], b[p + 47], b[p + 48], b[p + 49], b[p + 50], b[p + 51], b[p + 52], b[p + 53], b[p + 54], b[p + 55], b[p + 56], b[p + 57], b[p + 58], b[p + 59], b[p + 60], b[p + 61], b[p + 62], b[p + 63]);
}
