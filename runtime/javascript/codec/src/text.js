const lax = /*#__PURE__*/ new TextDecoder("utf-8", { ignoreBOM: true });
const char = String.fromCharCode;

// Up to so many bytes of ASCII, strings made of their codes beat a call of TextDecoder.
const SHORT = 32;

// Code units that one call makes a string of: its arguments lie on the stack.
const UNITS = 4096;

/**
 * The text in b[at, stop). A byte that belongs to no UTF-8 sequence becomes the lone surrogate U+DC80 to U+DCFF that stands for
 * it, so that no byte is lost.
 */
export function readText(b, at, stop) {
  if (stop - at > SHORT) return readLong(b, at, stop);
  let seen = 0;
  for (let i = at; i < stop; i++) seen |= b[i];
  return seen < 128 ? readLatin1(b, at, stop) : readLong(b, at, stop);
}

/** Whether b[at, stop) is UTF-8. */
export function isText(b, at, stop) {
  for (let size; at < stop; at += size) {
    size = sequence(b, at, stop);
    if (size === 0) return false;
  }
  return true;
}

/** The text in b[at, stop), a byte a character. */
export function readLatin1(b, at, stop) {
  let text = "";
  for (; stop - at >= 8; at += 8) {
    text += char(b[at], b[at + 1], b[at + 2], b[at + 3], b[at + 4], b[at + 5], b[at + 6], b[at + 7]);
  }
  switch (stop - at) {
    case 0: return text;
    case 1: return text + char(b[at]);
    case 2: return text + char(b[at], b[at + 1]);
    case 3: return text + char(b[at], b[at + 1], b[at + 2]);
    case 4: return text + char(b[at], b[at + 1], b[at + 2], b[at + 3]);
    case 5: return text + char(b[at], b[at + 1], b[at + 2], b[at + 3], b[at + 4]);
    case 6: return text + char(b[at], b[at + 1], b[at + 2], b[at + 3], b[at + 4], b[at + 5]);
    default: return text + char(b[at], b[at + 1], b[at + 2], b[at + 3], b[at + 4], b[at + 5], b[at + 6]);
  }
}

/** The decoder writes U+FFFD for bytes that are no UTF-8: a text without it has lost none. */
function readLong(b, at, stop) {
  const text = lax.decode(b.subarray(at, stop));
  return text.includes("\ufffd") ? readLossless(b, at, stop) : text;
}

/** No byte takes more than one code unit. */
function readLossless(b, at, stop) {
  const units = new Uint16Array(stop - at);
  let count = 0;
  for (let size; at < stop; at += size || 1) {
    size = sequence(b, at, stop);
    if (size === 0) {
      units[count++] = 0xdc00 + b[at];
      continue;
    }
    let point = size === 1 ? b[at] : b[at] & (0x7f >> size);
    for (let i = 1; i < size; i++) point = (point << 6) | (b[at + i] & 0x3f);
    if (point > 0xffff) {
      units[count++] = 0xd7c0 + (point >> 10);
      point = 0xdc00 | (point & 0x3ff);
    }
    units[count++] = point;
  }
  let text = "";
  for (let i = 0; i < count; i += UNITS) text += char.apply(null, units.subarray(i, Math.min(i + UNITS, count)));
  return text;
}

/** How many bytes the UTF-8 sequence at `at` has; 0 where there is none. */
function sequence(b, at, stop) {
  const first = b[at];
  if (first < 0x80) return 1;
  const size = first < 0xc2 ? 0 : first < 0xe0 ? 2 : first < 0xf0 ? 3 : first < 0xf5 ? 4 : 0;
  if (size === 0 || at + size > stop) return 0;
  // No character is written longer than it must be, none is half of a pair, none lies beyond U+10FFFF.
  const least = first === 0xe0 ? 0xa0 : first === 0xf0 ? 0x90 : 0x80;
  const most = first === 0xed ? 0x9f : first === 0xf4 ? 0x8f : 0xbf;
  if (b[at + 1] < least || b[at + 1] > most) return 0;
  for (let i = 2; i < size; i++) if ((b[at + i] & 0xc0) !== 0x80) return 0;
  return size;
}

/** Puts the bytes of a text, as `readText` found them, and gives how many; nothing where a lone surrogate stands for no byte. */
export function putLossless(b, at, text) {
  const from = at;
  for (const character of text) {
    const code = character.codePointAt(0);
    if (code < 0x80) b[at++] = code;
    else if (code >= 0xdc80 && code <= 0xdcff) b[at++] = code & 0xff;
    else if (code >= 0xd800 && code <= 0xdfff) return undefined;
    else {
      const size = code < 0x800 ? 2 : code < 0x10000 ? 3 : 4;
      b[at++] = (0xf00 >> size) & 0xff | (code >> (6 * (size - 1)));
      for (let i = size - 2; i >= 0; i--) b[at++] = 0x80 | ((code >> (6 * i)) & 63);
    }
  }
  return at - from;
}

/** The bytes of a text, to compare them. */
export function textBytes(text) {
  const b = new Uint8Array(3 * text.length);
  return b.subarray(0, putLossless(b, 0, text) ?? 0);
}
