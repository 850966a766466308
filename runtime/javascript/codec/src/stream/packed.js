import { MOST_SEGMENTS, broken, known, load, more, segmentWords, tableSize } from "./head.js";

// The parts of a packed message: the first word says how long the table is; the table and the segments are packed by themselves.
const FIRST = 0;
const TABLE = 1;
const SEGMENTS = 2;

/**
 * Looks for the end of a packed message as its bytes come: what was looked at is not looked at again. Only the table of segments is
 * unpacked, since it says how many words there are.
 */
export class PackedWalk {
  skip = 0;
  packed = true;
  longest = Infinity;
  #table = new Uint8Array(tableSize(MOST_SEGMENTS));

  constructor() {
    this.restart();
  }

  restart() {
    this.at = 0;
    this.words = 0;
    this.wanted = 1;
    this.part = FIRST;
  }

  put() {}
  moveRoot() {
    return true;
  }

  /** `b` begins with the bytes of the call before. A message of more than `limit` bytes unpacked is too large. */
  look(b, limit) {
    for (;;) {
      while (this.words === this.wanted) {
        if (this.part === SEGMENTS) return known(this.at);
        const wrong = this.#next(limit);
        if (wrong !== undefined) return wrong;
      }
      const { is, size } = this.#group(b);
      if (is === "more") return more(this.at + size);
      if (is !== "known") return broken(is, 0, 0);
      this.#pass(b, size);
    }
  }

  /** A tag, the bytes of its word that are not zero, and where it has one, the run of words behind it. */
  #group(b) {
    const left = b.length - this.at;
    if (left === 0) return more(1);
    const tag = b[this.at];
    const word = 1 + ones(tag);
    if (tag !== 0 && tag !== 255) return left < word ? more(word) : known(word);
    if (left < word + 1) return more(word + 1);
    const run = b[this.at + word];
    if (run > this.wanted - this.words - 1) return broken("bad-packing", 0, 0);
    const size = word + 1 + (tag === 255 ? 8 * run : 0);
    return left < size ? more(size) : known(size);
  }

  /** Leaves a whole group behind. */
  #pass(b, size) {
    const tag = b[this.at];
    const word = 1 + ones(tag);
    const run = tag === 0 || tag === 255 ? b[this.at + word] : 0;
    if (this.part !== SEGMENTS) this.#unpack(b, tag, word, run);
    this.at += size;
    this.words += 1 + run;
  }

  #unpack(b, tag, word, run) {
    const out = 8 * this.words;
    let from = this.at + 1;
    for (let bit = 0; bit < 8; bit++) this.#table[out + bit] = (tag >> bit) & 1 ? b[from++] : 0;
    const behind = this.at + word + 1;
    if (tag === 255) this.#table.set(b.subarray(behind, behind + 8 * run), out + 8);
    else this.#table.fill(0, out + 8, out + 8 + 8 * run);
  }

  /** Goes on to what the part tells of that is complete. */
  #next(limit) {
    const segments = load(this.#table, 0, 4, true) + 1;
    if (segments > MOST_SEGMENTS) return broken("too-many-segments", segments, MOST_SEGMENTS);
    const table = tableSize(segments) / 8;
    this.wanted = this.part === FIRST ? table : table + segmentWords(this.#table, segments);
    this.part++;
    return 8 * this.wanted > limit && this.part === SEGMENTS ? broken("frame-too-large", 8 * this.wanted, limit) : undefined;
  }
}

function ones(tag) {
  let count = 0;
  for (; tag !== 0; tag &= tag - 1) count++;
  return count;
}
