import { targeted, unfit } from "./writer.js";

export { needs } from "./version.js";

// Drafts: messages whose fields are set where they lie.

/** The whole of an ArrayBuffer: places count from its first byte. */
const memoryOf = (buffer) => ({ b: new Uint8Array(buffer), v: new DataView(buffer) });

/**
 * A record in memory `$`, whose fields at fixed places lie behind `$at`. That of a whole message lies `$start` bytes behind its first
 * one, and has the bytes that it begins with, `$model`.
 */
export class Part {
  constructor(memory, at, start, model) {
    this.$ = memory;
    this.$at = at;
    this.$start = start;
    this.$model = model;
    this.$target = undefined;
  }

  get $bytes() {
    const { length } = modelOf(this);
    const from = this.$at - this.$start;
    return this.$.b.subarray(from, from + length);
  }

  $into(target, at = 0) {
    const model = modelOf(this);
    const size = model.length;
    targeted(target, at);
    if (size > target.length - at) unfit(size);
    if (target !== this.$target) {
      if (target.buffer !== this.$.b.buffer) this.$ = memoryOf(target.buffer);
      this.$target = target;
    }
    target.set(model, at);
    this.$at = target.byteOffset + at + this.$start;
    return at + size;
  }
}

function modelOf({ $model }) {
  if ($model === undefined) throw new TypeError("only the draft of a whole message has bytes of its own");
  return $model;
}

/** A draft has no value that could be set elsewhere: its fields cannot be read. */
export function noDraft(value) {
  if (value instanceof Part) throw new TypeError("a draft is no value: give an object of the record's fields");
}

/** The draft of a message that is written, whose record's fixed places count from its byte `start` on. No other property can be set. */
export function begin(Draft, message, start) {
  const { buffer } = Uint8Array.from(message);
  return Object.preventExtensions(new Draft(memoryOf(buffer), start, start, Uint8Array.from(message)));
}
