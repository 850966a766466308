// A byte order mark is text to Erlang, so it must not be swallowed.
const lax = new TextDecoder("utf-8", { ignoreBOM: true });
const strict = new TextDecoder("utf-8", { ignoreBOM: true, fatal: true });
const char = String.fromCharCode;

// Up to SHORT bytes a string made of its codes beats a call of TextDecoder. Up to MEDIUM bytes the call costs more
// than its work, so several strings share one: a window of the frame is decoded at once and strings are cut out.
// A string so cut keeps its window alive, which is why a window is no bigger than this.
const SHORT = 8;
const MEDIUM = 256;
// The first medium strings, up to this many bytes, are made of codes still: one call for all lengths.
const PADDED = 24;
const WINDOW = 2048;

const masked = new Uint8Array(WINDOW);
const maskedWords = new Uint32Array(masked.buffer);

let window = "";
let windowAt = 0;
let windowStop = 0;
// Medium strings that begin before this place follow closely on an ASCII one, so that a window is likely to pay.
let near = 0;

/** Called after a frame is read: the next one has other bytes, and nothing of this one is to be kept. */
export function resetText() {
  window = "";
  windowStop = near = 0;
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
  if (stop > windowStop && at < near) openWindow(bytes, at);
  const n = stop - at;
  const outside = stop > windowStop;
  let text;
  if ((!outside || n <= PADDED) && isAscii(bytes, at, stop)) {
    text = outside ? padded(bytes, at).slice(0, n) : window.slice(at - windowAt, stop - windowAt);
  } else {
    text = readAlone(bytes, at, stop);
    if (text?.length !== n) return text;
  }
  near = stop + MEDIUM;
  return text;
}

function isAscii(bytes, at, stop) {
  let seen = 0;
  for (let i = at; i < stop; i++) seen |= bytes[i];
  return seen < 128;
}

/**
 * Decodes a window from `at` on. Bytes between the strings may be anything, so all lose their highest bit: what is
 * left is ASCII, with bytes and characters at the same places, and right for strings that are ASCII themselves.
 */
function openWindow(bytes, at) {
  windowAt = at;
  windowStop = Math.min(bytes.length, at + WINDOW);
  masked.set(bytes.subarray(at, windowStop));
  for (let i = 0; i < WINDOW / 4; i++) maskedWords[i] &= 0x7f7f7f7f;
  window = strict.decode(masked.subarray(0, windowStop - at));
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

/** The next PADDED bytes as characters, whatever they are. */
function padded(b, p) {
  return char(b[p], b[p + 1], b[p + 2], b[p + 3], b[p + 4], b[p + 5], b[p + 6], b[p + 7], b[p + 8], b[p + 9], b[p + 10], b[p + 11], b[p + 12], b[p + 13], b[p + 14], b[p + 15], b[p + 16], b[p + 17], b[p + 18], b[p + 19], b[p + 20], b[p + 21], b[p + 22], b[p + 23]);
}
