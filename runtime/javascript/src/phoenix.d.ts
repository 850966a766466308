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

/** What these functions need of the socket whose methods they are; phoenix.js's Socket has it. */
export interface SocketLike {
  transport?: unknown;
  getLongPollTransport?(): unknown;
  defaultEncoder: Encode;
  defaultDecoder: Decode;
}

/** The options of `decode`, and those of `encode` for `up: "etf"`. */
export interface PhoenixOptions extends DecodeOptions, EncodeOptions {
  /** What is sent to the server: `"json"` (default), or `"etf"`, which the serializer there must accept. */
  up?: "json" | "etf";
  /** The serializer's version, by which the server picks it: "3.0.0" by default. */
  vsn?: string;
}

/**
 * Options for `new Socket(url, { ...etf(), params })` and `new LiveSocket(url, Socket, { ...etf(), params })`.
 *
 * Terms and V2 binary frames are decoded, text goes to the socket's own decoder. Pushes of an ArrayBuffer are V2
 * binary frames in both modes. Over long polling all messages are the socket's own.
 *
 * @throws {TypeError} for options that are none.
 */
export function etf(options?: PhoenixOptions): {
  vsn: string;
  encode(this: SocketLike, message: AnyMessage, callback: (frame: any) => void): void;
  decode(this: SocketLike, frame: string | ArrayBuffer, callback: (message: any) => void): void;
};

/** `etf()`'s three members: JSON to the server, terms from it. */
export const vsn: string;
export function encode(this: SocketLike, message: AnyMessage, callback: (frame: any) => void): void;
export function decode(this: SocketLike, frame: string | ArrayBuffer, callback: (message: any) => void): void;
