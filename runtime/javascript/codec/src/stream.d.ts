import type { CodecError, Limits } from "@aldis/codec";

/** How messages lie in a stream: a name, or where in each message its own length lies. */
export type Framing =
  /** A length before each message, not counting itself. */
  | "u16le"
  | "u16be"
  | "u32le"
  | "u32be"
  /** The FIX Simple Open Framing Header: a 32-bit big-endian length that counts the header, and an encoding type. */
  | "sofh"
  /** Each message begins with its own length, as those of FBE do. */
  | "fbe"
  /** The same in one buffer of the reference's: where a message's record begins counts from the stream's first byte. */
  | "fbe-buffer"
  /** The length of the frame that each message's header has. */
  | "header"
  /** Each message begins with the table of its segments, packed where the form is. */
  | "capnp"
  | "capnp-packed"
  | LengthFraming;

/** Each message holds its own length, of `bits` at byte `at`, which counts the whole message and is `least` or more. */
export interface LengthFraming {
  readonly at?: number;
  readonly bits: 8 | 16 | 32 | 64;
  readonly order?: "little" | "big";
  readonly least?: number;
}

export type StreamCode =
  /** A frame of more bytes than the receiver's limit, or a message of more than the sender's framing can say. */
  | "frame-too-large"
  /** A frame whose length is less than what says it. */
  | "frame-too-small"
  | "too-many-segments"
  | "bad-packing"
  /** A record that would begin before its message, or further on than can be said. */
  | "bad-root"
  /** A message in a whole frame that cannot be decoded: `cause` says why. */
  | "bad-message"
  /** The stream ends within a frame. */
  | "cut";

/** A fault of a stream: `frame-too-large at byte 12 of the stream: 1004, at most 100`. */
export class StreamError extends Error {
  readonly code: StreamCode;
  /** The first byte of the frame, counted from 0 over all that was fed, or sent. */
  readonly offset: number;
  /** Bytes that the frame would have, or how many segments. */
  readonly size: number;
  /** The most or the least that it may have. */
  readonly bound: number;
  readonly cause?: CodecError;
}

/** A ReadableStream, a stream of Node, or anything that gives chunks of bytes. */
export type Source = ReadableStream<Uint8Array> | AsyncIterable<Uint8Array> | Iterable<Uint8Array>;

/** Gives whole messages out of bytes as they come, and keeps what is no whole frame yet. */
export class FrameReceiver {
  /** Frames of more than `maxFrame` bytes (64 MiB) end the stream before they are collected. */
  constructor(framing: Framing, options?: { maxFrame?: number });
  /** Calls `handler` with each message that is complete with these bytes, in their order; messages may be parts of them. */
  feed(bytes: Uint8Array, handler: (message: Uint8Array) => void): void;
  /** All messages of a source. Throws StreamError, also where it ends within a frame. */
  read(source: Source): AsyncGenerator<Uint8Array, void, undefined>;
  /** The stream is over: throws StreamError where something is left that is no whole message. */
  finish(): void;
  /** A copy of the bytes that were fed and are no whole message yet. */
  readonly rest: Uint8Array;
  /** The place in the stream at which the frame that was given last begins. */
  readonly offset: number;
}

/** Puts messages into memory, each in its frame, until they are taken. */
export class FrameSender {
  constructor(framing: Framing);
  /** Adds a message. What cannot be sent throws StreamError, and adds nothing. */
  send(message: Uint8Array): void;
  /** All bytes that were sent since the last call; they are the caller's. */
  take(): Uint8Array;
  /** Bytes that were sent and not taken. */
  readonly size: number;
  /** The place in the stream at which the next frame begins. */
  readonly offset: number;
}

/** A message with its name, as generated code has it. */
export interface Named {
  readonly message: string;
  readonly value: unknown;
}

/** The value of a message of that name. */
export type ValueOf<M extends Named, N> = Extract<M, { message: N }>["value"];

/** A message that the schema does not know, and its bytes. */
export interface Unknown {
  readonly message: null;
  readonly value: Uint8Array;
}

export interface ReceiverOptions {
  /** Bytes of the longest frame that is believed; 64 MiB. */
  readonly maxFrame?: number;
  /** How much the bytes of one message may ask for. */
  readonly limits?: Limits;
  /** Messages that the schema does not know end the stream (`stop`), are left out, or are given as `Unknown`. */
  readonly unknown?: "stop" | "skip" | "keep";
}

/** Decodes the messages of one form out of a stream. The first fault, of a frame or of a message, ends it. */
export interface Receiver<M extends Named, O extends ReceiverOptions = ReceiverOptions> {
  /**
   * Calls the handler of each message that is complete with these bytes with its value. Messages without a handler are not decoded:
   * `other` gets their name and bytes, and those that the schema does not know with the name null. Throws StreamError. Where a handler
   * throws, the stream goes on behind its message with the next call.
   */
  feed(
    bytes: Uint8Array,
    handlers: { readonly [N in M["message"]]?: (value: ValueOf<M, N>) => void },
    other?: (name: M["message"] | null, bytes: Uint8Array) => void,
  ): void;
  /** All messages of a source. Throws StreamError, also where it ends within a frame. */
  read(source: Source): AsyncGenerator<O extends { readonly unknown: "keep" } ? M | Unknown : M, void, undefined>;
  finish(): void;
  readonly rest: Uint8Array;
  readonly offset: number;
}

/** Encodes the messages of one form and puts them into a stream. */
export interface Sender<M extends Named> {
  /** Adds a message. What cannot be encoded or sent throws CodecError or StreamError, and adds nothing. */
  send<N extends M["message"]>(name: N, value: ValueOf<M, N>): void;
  /** All bytes that were sent since the last call; they are the caller's. */
  take(): Uint8Array;
  readonly size: number;
  readonly offset: number;
}

/** Why a request has no answer. */
export class RequestError extends Error {
  readonly code: "late" | "given-up" | "duplicate";
}

export interface RequestOptions {
  /** Milliseconds after which it fails with RequestError `late`. */
  readonly timeout?: number;
  /** The signal that makes the request fail, with the signal's reason. */
  readonly signal?: AbortSignal;
}

/** Requests that wait for their answers. `R` has by request its value, and the messages that answer it. */
export interface Requests<R extends Record<string, { request: unknown; answer: Named }>> {
  /** Puts a request into the sender's stream, and gives the message that answers it. */
  send<N extends keyof R>(name: N, request: R[N]["request"], options?: RequestOptions): Promise<R[N]["answer"]>;
  /** Gives a message to the request that waits for it; false where none does. */
  answer(any: Named): boolean;
  /** Tells all requests that nothing will come; gives how many there were. */
  giveUp(cause?: unknown): number;
  /** How many wait. */
  readonly size: number;
}
