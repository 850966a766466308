import { chunks } from "./chunks.js";
import { StreamError } from "./error.js";
import { framingOf } from "./framing.js";

/** Bytes of the longest frame that receivers believe in unless told otherwise: 64 MiB. */
const MAX_FRAME = 64 * 2 ** 20;

const NONE = new Uint8Array(0);

/**
 * Gives whole messages out of bytes as they come, and keeps what is no whole frame yet. A broken frame ends the stream, as there is no
 * way to find the next one.
 */
export class FrameReceiver {
  #how;
  #limit;
  // The bytes that were fed and are not looked at yet.
  #in = NONE;
  // The beginning of a frame that is not whole yet: `#have` bytes of memory, and how many there must be to look again.
  #kept = NONE;
  #have = 0;
  #needed = 0;
  // The bytes of the frame where they are known: memory for more would be wasted.
  #bound = Infinity;
  // The first byte of the frame that was given last, and its length.
  #offset = 0;
  #given = 0;
  #ended;
  #busy = false;

  constructor(framing, { maxFrame = MAX_FRAME } = {}, form) {
    if (!(maxFrame > 0)) throw new RangeError("maxFrame is a number of bytes above 0");
    this.#how = framingOf(framing, form);
    this.#limit = maxFrame;
  }

  /** The place in the stream at which the frame that was given last begins. */
  get offset() {
    return this.#offset;
  }

  /** The bytes that were fed and are no whole message yet. */
  get rest() {
    return joined(this.#kept.subarray(0, this.#have), this.#in);
  }

  /** Ends the stream: this call and all further ones throw the fault. */
  end(fault) {
    this.#in = this.#kept = NONE;
    this.#have = 0;
    throw (this.#ended = fault);
  }

  /**
   * Calls `handler` with each message that is complete with these bytes, in their order. A message is a part of them where its frame
   * came whole. Where a handler throws, the stream goes on behind its message with the next call.
   */
  feed(bytes, handler) {
    if (this.#busy) throw new Error("a handler must not feed the receiver that calls it");
    this.push(bytes);
    this.#busy = true;
    try {
      for (let message = this.next(); message !== undefined; message = this.next()) handler(message);
    } finally {
      this.#busy = false;
      // The caller's memory is the caller's again.
      if (this.#in.length > 0) this.#in = Uint8Array.from(this.#in);
    }
  }

  /** The messages of a ReadableStream, a stream of Node, or anything that gives chunks of bytes. */
  async *read(source) {
    for await (const chunk of chunks(source)) {
      this.push(chunk);
      for (let message = this.next(); message !== undefined; message = this.next()) yield message;
    }
    this.finish();
  }

  /** Adds bytes for `next` to look at. */
  push(bytes) {
    if (!(bytes instanceof Uint8Array)) throw new TypeError("a stream is fed with Uint8Arrays");
    if (this.#ended !== undefined) throw this.#ended;
    this.#in = this.#in.length === 0 ? bytes : joined(this.#in, bytes);
  }

  /** The stream is over: what is left of it is no message. */
  finish() {
    if (this.#ended !== undefined) throw this.#ended;
    const size = this.#have + this.#in.length;
    if (size > 0) this.#end("cut", size, 0);
  }

  /** The next message that is whole; nothing where more bytes are needed. */
  next() {
    if (this.#ended !== undefined) throw this.#ended;
    this.#offset += this.#given;
    this.#given = 0;
    for (;;) {
      if (this.#have > 0 && !this.#complete()) return undefined;
      const begun = this.#have > 0 ? this.#kept.subarray(0, this.#have) : this.#in;
      if (begun.length === 0) return undefined;
      const { is, size, bound } = this.#how.look(begun, this.#limit);
      if (is !== "known" && is !== "more") this.#end(is, size, bound);
      // A head is awaited even where the limit is less: only then it is known how large the frame would be.
      if (is === "known" && size > this.#limit && !this.#how.packed) this.#end("frame-too-large", size, this.#limit);
      this.#needed = size;
      this.#bound = is === "known" ? size : Infinity;
      if (is === "known" && size <= begun.length) return this.#give(begun, size);
      if (this.#have === 0) this.#keep(this.#in.length);
    }
  }

  #end(code, size, bound) {
    this.end(new StreamError(code, this.#offset, { size, bound }));
  }

  #give(begun, size) {
    const message = begun.subarray(this.#how.skip, size);
    if (this.#have > 0) this.#have = 0;
    else this.#in = this.#in.subarray(size);
    // The receiver of the message may keep it.
    this.#kept = NONE;
    this.#given = size;
    this.#how.restart();
    return this.#how.root === undefined ? message : this.#moved(message);
  }

  /** The message as it would stand alone. */
  #moved(message) {
    const alone = Uint8Array.from(message);
    if (!this.#how.moveRoot(alone, -this.#offset)) this.#end("bad-root", 0, 0);
    return alone;
  }

  /** Adds to a frame that has begun; whether there are as many bytes as are needed. */
  #complete() {
    this.#keep(Math.min(this.#needed - this.#have, this.#in.length));
    return this.#have === this.#needed;
  }

  /** Memory doubles with what has come, not with what a length claims: however few bytes are asked for at a time, few are copied. */
  #keep(size) {
    const have = this.#have + size;
    if (have > this.#kept.length) {
      const more = new Uint8Array(Math.max(have, Math.min(this.#bound, 2 * have)));
      more.set(this.#kept.subarray(0, this.#have));
      this.#kept = more;
    }
    this.#kept.set(this.#in.subarray(0, size), this.#have);
    this.#have = have;
    this.#in = this.#in.subarray(size);
  }
}

function joined(a, b) {
  const both = new Uint8Array(a.length + b.length);
  both.set(a);
  both.set(b, a.length);
  return both;
}

/** The memory that small messages lie in side by side. */
const SLAB = 65536;

/** Puts messages into one piece of memory, each in its frame, until they are taken: one write for many messages. */
export class FrameSender {
  #how;
  #b = NONE;
  // `#b[#begin, #end)` was sent and not taken.
  #begin = 0;
  #end = 0;
  #offset = 0;

  constructor(framing, form) {
    this.#how = framingOf(framing, form);
  }

  /** Bytes that were sent and not taken. */
  get size() {
    return this.#end - this.#begin;
  }

  /** The place in the stream at which the next frame begins. */
  get offset() {
    return this.#offset + this.size;
  }

  /** Adds a message. A message that cannot be sent adds nothing. */
  send(message) {
    if (!(message instanceof Uint8Array)) throw new TypeError("a message is a Uint8Array");
    const { skip, longest } = this.#how;
    const size = message.length;
    if (size > longest) throw new StreamError("frame-too-large", this.offset, { size, bound: longest });
    this.#room(skip + size);
    const at = this.#end + skip;
    this.#b.set(message, at);
    if (!this.#how.moveRoot(this.#b.subarray(at, at + size), this.offset)) throw new StreamError("bad-root", this.offset);
    this.#how.put(this.#b, this.#end, size);
    this.#end = at + size;
  }

  /** All bytes that were sent since the last call; they are the caller's. */
  take() {
    const taken = this.#b.subarray(this.#begin, this.#end);
    this.#offset += taken.length;
    this.#begin = this.#end;
    return taken;
  }

  #room(size) {
    if (this.#end + size <= this.#b.length) return;
    const waiting = this.size;
    const b = new Uint8Array(Math.max(SLAB, 2 * waiting, waiting + size));
    b.set(this.#b.subarray(this.#begin, this.#end));
    this.#b = b;
    this.#begin = 0;
    this.#end = waiting;
  }
}
