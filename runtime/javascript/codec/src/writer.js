import { CodecError } from "./error.js";

/**
 * The state of writing: memory that is zero from `at` on, where the message begins in it and where it ends by now, how many
 * levels are left, and what reading will charge for elements without bytes. Small messages stay in the memory that they were
 * written into; when it is full, it is theirs.
 */
export class Writer {
  constructor(size) {
    this.b = new Uint8Array(size);
    this.v = new DataView(this.b.buffer);
    this.room = size;
    this.start = 0;
    this.at = 0;
    this.depth = 0;
    this.charged = 0;
  }
}

/** Room up to where the writer is by now. */
export function grow(f) {
  growTo(f, f.at);
}

export function growTo(f, least) {
  if (least > 2 ** 32) outOfRange("a message of more than 4 GiB");
  const b = new Uint8Array(Math.max(least, 2 * f.room));
  b.set(f.b.subarray(f.start), f.start);
  f.b = b;
  f.v = new DataView(b.buffer);
  f.room = b.length;
}

/** So many bytes, all zero, at the end; gives where they begin. */
export function claim(f, size) {
  const at = f.at;
  f.at += size;
  if (f.at > f.room) grow(f);
  return at;
}

export function outOfRange(detail = "too many elements or bytes, or too few", shown = "") {
  throw new CodecError("out-of-range", null, [], detail, String(shown));
}

/** Whether a message may begin at target[at]. */
export function targeted(target, at) {
  if (!(target instanceof Uint8Array)) throw new TypeError("a message is written into a Uint8Array");
  if (!(at >= 0 && at <= target.length && Number.isInteger(at))) throw new RangeError("the message begins outside of the bytes");
}

export function unfit(size) {
  throw new RangeError(`a message of ${size} bytes does not fit`);
}
