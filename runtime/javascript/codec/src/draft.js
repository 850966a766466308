// Drafts: messages whose fields are set where they lie.

export { needs } from "./version.js";

/** What setters need of an ArrayBuffer, from whose first byte on places count. */
const memoryOf = (buffer) => ({ b: new Uint8Array(buffer), v: new DataView(buffer) });

/** A record with fields at fixed places behind `$at`, in memory `$`. That of a message has `$model`, the bytes that it begins with. */
export class Part {
  constructor(memory, at) {
    this.$ = memory;
    this.$at = at;
  }

  get $bytes() {
    const from = this.$at - this.$start;
    return this.$.b.subarray(from, from + this.$model.length);
  }

  $into(target, at = 0) {
    if (target !== this.$target) this.$move(target);
    const model = this.$model;
    const size = model.length;
    if (!(at >= 0 && at <= target.length && Number.isInteger(at))) throw new RangeError("the message begins outside of the bytes");
    if (size > target.length - at) throw new RangeError(`a message of ${size} bytes does not fit`);
    target.set(model, at);
    this.$at = this.$first + at;
    return at + size;
  }

  /** Makes the memory that of a target, in which there are mostly many messages. */
  $move(target) {
    if (!(target instanceof Uint8Array)) throw new TypeError("a message is written into a Uint8Array");
    if (target.buffer !== this.$.b.buffer) this.$ = memoryOf(target.buffer);
    this.$target = target;
    this.$first = target.byteOffset + this.$start;
  }
}

/** The draft of a message that is written, whose record's fixed places count from its byte `start` on. */
export function begin(Draft, message, start) {
  const bytes = Uint8Array.from(message);
  const draft = new Draft(memoryOf(bytes.buffer), start);
  draft.$start = start;
  draft.$model = Uint8Array.from(message);
  draft.$move(bytes);
  return draft;
}
