import { CodecError } from "../error.js";
import { StreamError } from "./error.js";
import { FrameReceiver, FrameSender } from "./frames.js";

const UNKNOWN = ["stop", "skip", "keep"];

/**
 * A form of a schema as streams know it: `own`, `root`, `header`, `big`, `packed` say how its messages lie in them, `framing`
 * names the usual framing; `identify(bytes)` gives a message's name where messages say which they are; `messages` has, by name,
 * the functions that decode and encode each.
 */
export const messagesOf = (form) => ({ ...form, messages: new Map(Object.entries(form.messages)) });

/** The form in a stream of messages of one name, which do not say which they are. */
export const onlyOf = (form, message) => {
  if (!form.messages.has(message)) throw new TypeError(`the schema has no message ${String(message)}`);
  return { ...form, identify: () => message };
};

/** Decodes the messages of one form out of a stream. The first fault, of a frame or of a message, ends it. */
export class Receiver {
  #form;
  #frames;
  #limits;
  #unknown;

  constructor(form, framing = form.framing, { maxFrame, limits, unknown = "stop" } = {}) {
    if (!UNKNOWN.includes(unknown)) throw new TypeError(`unknown is one of ${UNKNOWN.join(", ")}`);
    this.#form = form;
    this.#frames = new FrameReceiver(framing, { maxFrame }, form);
    this.#limits = limits;
    this.#unknown = unknown;
  }

  get offset() {
    return this.#frames.offset;
  }

  get rest() {
    return this.#frames.rest;
  }

  finish() {
    this.#frames.finish();
  }

  /**
   * Calls the handler of each message that is complete with these bytes with its value. Messages without a handler are not decoded:
   * `other` gets their name and bytes; a name is null where the schema does not know the message.
   */
  feed(bytes, handlers, other) {
    this.#frames.feed(bytes, (message) => {
      const name = this.#identify(message, other !== undefined);
      if (name === undefined) return;
      if (name !== null && Object.hasOwn(handlers, name)) handlers[name](this.#decode(name, message));
      else other?.(name, message);
    });
  }

  /** The messages of a ReadableStream, a stream of Node, or anything that gives chunks of bytes, with their names. */
  async *read(source) {
    for await (const bytes of this.#frames.read(source)) {
      const message = this.#identify(bytes, this.#unknown === "keep");
      if (message === null) yield { message, value: bytes };
      else if (message !== undefined) yield { message, value: this.#decode(message, bytes) };
    }
  }

  /** The name of a message; null or nothing where the schema does not know it, and that is no fault. */
  #identify(bytes, keep) {
    try {
      return this.#form.identify(bytes);
    } catch (error) {
      if (!(error instanceof CodecError) || error.code !== "unknown-message") return this.#end(error);
      return keep ? null : this.#unknown === "skip" ? undefined : this.#end(error);
    }
  }

  #decode(name, bytes) {
    try {
      return this.#form.messages.get(name)[0](bytes, this.#limits);
    } catch (error) {
      return this.#end(error);
    }
  }

  #end(error) {
    if (!(error instanceof CodecError)) throw error;
    return this.#frames.end(new StreamError("bad-message", this.#frames.offset, { cause: error }));
  }
}

/** Encodes the messages of one form and puts them into a stream. */
export class Sender {
  #form;
  #frames;

  constructor(form, framing = form.framing) {
    this.#form = form;
    this.#frames = new FrameSender(framing, form);
  }

  get size() {
    return this.#frames.size;
  }

  get offset() {
    return this.#frames.offset;
  }

  /** Adds a message. What cannot be encoded throws, and adds nothing. */
  send(name, value) {
    const known = this.#form.messages.get(name);
    if (known === undefined) throw new TypeError(`the schema has no message ${String(name)}`);
    this.#frames.send(known[1](value));
  }

  take() {
    return this.#frames.take();
  }
}
