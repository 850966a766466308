import { CodecError } from "./error.js";

// Packing (Cap'n Proto encoding specification, "Packing"): a tag tells which bytes of a word are not zero; runs of words follow the tags
// 0 and 255. The table and each segment are packed by themselves.

const WORD = 8;
const UNPACKED_FACTOR = 64;
const UNPACKED_BASE = 16 << 20;

/** How many bytes so many packed ones may unpack to. */
export const unpackedLimit = (size) => UNPACKED_FACTOR * size + UNPACKED_BASE;

// A fault in packed bytes has no place in the message.
const fail = (code, detail) => {
  throw new CodecError(code, null, [], detail);
};

class Unpacker {
  constructor(bytes, at) {
    this.bytes = bytes;
    this.at = at;
    this.limit = unpackedLimit(bytes.length - at);
    this.out = new Uint8Array(Math.min(4096, this.limit));
    this.size = 0;
    // Words of a run that are still to come.
    this.zeros = 0;
    this.literal = 0;
  }

  /** Goes on until there are so many words. */
  words(total) {
    if (total * WORD > this.limit) fail("too-large", `unpacked, the message would take ${total} words, more than its packed bytes allow`);
    const wanted = total * WORD;
    while (this.size < wanted) {
      const left = (wanted - this.size) / WORD;
      if (this.zeros > 0) {
        const run = Math.min(this.zeros, left);
        this.grow(run * WORD);
        this.zeros -= run;
      } else if (this.literal > 0) {
        const run = Math.min(this.literal, left);
        const from = this.take(run * WORD);
        const to = this.grow(run * WORD);
        this.out.set(this.bytes.subarray(from, this.at), to);
        this.literal -= run;
      } else {
        this.word();
      }
    }
    if (this.zeros + this.literal > 0) fail("bad-value", "a packed run of words goes beyond the end of the table or of the message");
  }

  /** Reads a tag and its word, and how many words of a run follow. */
  word() {
    const tag = this.bytes[this.take(1)];
    let bits = 0;
    for (let rest = tag; rest !== 0; rest &= rest - 1) bits++;
    let from = this.take(bits);
    const to = this.grow(WORD);
    for (let i = 0; i < WORD; i++) if ((tag >> i) & 1) this.out[to + i] = this.bytes[from++];
    if (tag === 0) this.zeros = this.bytes[this.take(1)];
    if (tag === 255) this.literal = this.bytes[this.take(1)];
  }

  /** Takes so many packed bytes; gives where they begin. */
  take(count) {
    const from = this.at;
    if (count > this.bytes.length - from) fail("truncated", "the packed bytes end within the message");
    this.at += count;
    return from;
  }

  /** Room for so many bytes, which are zero; gives where they begin. */
  grow(count) {
    const from = this.size;
    this.size += count;
    if (this.size > this.out.length) {
      const out = new Uint8Array(Math.max(2 * this.out.length, this.size));
      out.set(this.out);
      this.out = out;
    }
    return from;
  }
}

/** The message that begins packed at bytes[at], and the place behind it. */
export function unpack(bytes, at) {
  if (!(bytes instanceof Uint8Array)) throw new TypeError("a message is a Uint8Array");
  const u = new Unpacker(bytes, at);
  const number = (i) => (u.out[4 * i] | (u.out[4 * i + 1] << 8) | (u.out[4 * i + 2] << 16) | (u.out[4 * i + 3] << 24)) >>> 0;
  u.words(1);
  if (number(0) >= 511) fail("bad-count", `${number(0) + 1} segments; at most 511 are read`);
  const count = number(0) + 1;
  const table = (count >> 1) + 1;
  u.words(table);
  let content = 0;
  for (let i = 1; i <= count; i++) content += number(i);
  u.words(table + content);
  return [u.out.subarray(0, u.size), u.at];
}

/** The packed words of b[at, stop). */
export function pack(b, at, stop) {
  // A word of zeros takes two bytes, one without any takes ten.
  const out = new Uint8Array(((stop - at) / WORD) * 10);
  let size = 0;
  const zeros = (from) => {
    let count = 0;
    for (let i = 0; i < WORD; i++) count += b[from + i] === 0 ? 1 : 0;
    return count;
  };
  while (at < stop) {
    const tagged = size++;
    for (let i = 0; i < WORD; i++) {
      if (b[at + i] === 0) continue;
      out[tagged] |= 1 << i;
      out[size++] = b[at + i];
    }
    at += WORD;
    const tag = out[tagged];
    if (tag !== 0 && tag !== 255) continue;
    const counted = size++;
    const from = at;
    while (at < stop && out[counted] < 255 && (tag === 0 ? zeros(at) === WORD : zeros(at) < 2)) {
      out[counted]++;
      at += WORD;
    }
    if (tag === 255) {
      out.set(b.subarray(from, at), size);
      size += at - from;
    }
  }
  return out.subarray(0, size);
}
