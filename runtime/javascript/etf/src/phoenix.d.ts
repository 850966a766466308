import type { DecodeOptions, EncodeOptions } from "./index.js";

/** A message as phoenix.js hands it to `encode` and takes it from `decode`. */
export interface Message {
  join_ref?: string | null;
  ref?: string | null;
  topic: string;
  event: string;
  payload: any;
}

/** A {@link Message}; phoenix.js's published types know it as an object only, and would refuse the precise type. */
type AnyMessage = any;

type Encode = (message: Message, callback: (frame: any) => void) => void;
type Decode = (frame: string | ArrayBuffer, callback: (message: any) => void) => void;

/** The parts that these functions need of the socket whose methods they are; phoenix.js's Socket has it. */
export interface SocketLike {
  transport?: unknown;
  getLongPollTransport?(): unknown;
  defaultEncoder: Encode;
  defaultDecoder: Decode;
}

/** The options of `decode`, and those of `encode` for terms to the server. */
export interface PhoenixOptions extends DecodeOptions, EncodeOptions {
  /**
   * The format of messages to the server: `"json"` (default); `"auto"`, terms for payloads with bytes in them and JSON for all
   * others; `"etf"`, terms. The serializer there must accept terms for the last two.
   */
  up?: "json" | "auto" | "etf";
  /** The serializer's version, by which the server picks it: "3.0.0" by default. */
  vsn?: string;
}

/**
 * Options for `new Socket(url, { ...etf(), params })` and `new LiveSocket(url, Socket, { ...etf(), params })`.
 *
 * Terms and V2 binary frames are decoded, JSON goes to the socket's own decoder. A payload that is bytes is a V2 binary
 * frame in all modes. Bytes inside of payloads are Uint8Arrays from the server, and to it whatever `encode` writes as
 * bytes, and Blobs: messages with these, and all after them, are sent when they are read.
 *
 * Over long polling what the server sends is in base64, and terms are sent for payloads with bytes in them alone.
 *
 * @throws {TypeError} for options that are none.
 */
export function etf(options?: PhoenixOptions): {
  vsn: string;
  encode(this: SocketLike, message: AnyMessage, callback: (frame: any) => void): void;
  decode(this: SocketLike, frame: string | ArrayBuffer, callback: (message: any) => void): void;
};

/**
 * A transport for `new Socket(url, { ...etf(), transport: longPoll(LongPoll) })`: phoenix.js takes JSON alone over its
 * own LongPoll when that is the `transport` (but not when it falls back to it).
 */
export function longPoll<Transport extends new (...args: any[]) => any>(LongPoll: Transport): Transport;

/** `etf()`'s three members: JSON to the server, terms from it. */
export const vsn: string;
export function encode(this: SocketLike, message: AnyMessage, callback: (frame: any) => void): void;
export function decode(this: SocketLike, frame: string | ArrayBuffer, callback: (message: any) => void): void;
