/** A value that the decoder makes of a term. */
export type Term =
  | null
  | boolean
  | number
  | bigint
  | string
  | Uint8Array
  | Term[]
  | { [key: string]: Term };

/** Why bytes were refused, or a value could not be written. */
export type EtfErrorCode =
  /** The frame ends inside a term, or a size or count claims more than is left. */
  | "truncated"
  /** The first byte is not 131. */
  | "not_etf"
  /** More terms than `maxNodes`. */
  | "too_many_nodes"
  /** Bytes follow the term. */
  | "trailing_bytes"
  /** A tag that has no value in JSON (pids, references, funs, bit strings, compressed terms ..), or none at all. */
  | "bad_tag"
  /** A binary or a name is not UTF-8. */
  | "bad_utf8"
  /** A list that does not end in NIL. */
  | "improper_list"
  /** A float that is not finite, or an old float that is not written as one. */
  | "bad_float"
  /** A bignum whose sign is neither 0 nor 1. */
  | "bad_integer"
  /** An integer of more than 128 bytes (255 when written), or beyond 2^53 - 1 with `integers: "throw"`. */
  | "big_integer"
  /** A tuple, without `tuples: "array"`. */
  | "tuple"
  /** A map's key that is no binary, atom or integer. */
  | "bad_key"
  /** Lists and maps nest deeper than `maxDepth`. */
  | "too_deep"
  /** A value to write that JSON has no text for: undefined, a function or a symbol. */
  | "no_value"
  /** An object that cannot be written as what it is: a Blob, a Promise, a Map with keys that are objects .. */
  | "bad_value"
  /** `encodeInto`: the target is too short. */
  | "no_space"
  /** Keys of a map are one key: to write, those that differ in lone surrogates alone, or as 1 and "1" in a Map. */
  | "duplicate_key"
  /** `@aldis/etf/terms`: an atom's name has more than 255 characters. */
  | "bad_atom"
  /** Phoenix: bytes that are neither a term nor a V2 frame, or a term that is no message. */
  | "bad_frame";

export class EtfError extends Error {
  constructor(code: EtfErrorCode, offset: number, detail?: string);
  readonly name: "EtfError";
  readonly code: EtfErrorCode;
  /** The byte where reading or writing stopped, from the start of the frame. */
  readonly offset: number;
}

export interface DecodeOptions {
  /**
   * Integers beyond 2^53 - 1: `"number"` (default) rounds them as JSON.parse does, `"bigint"` gives a BigInt for
   * these and a number for all others, `"throw"` refuses them (big_integer).
   */
  integers?: "number" | "bigint" | "throw";
  /** Tuples: `"throw"` (default) or `"array"`. */
  tuples?: "throw" | "array";
  /** Binaries that are not UTF-8: `"throw"` (default), or `"bytes"` for a Uint8Array of their own. Keys must be. */
  invalidUtf8?: "throw" | "bytes";
  /** How deep lists, maps and tuples may nest: 1 to 1000, 512 by default. */
  maxDepth?: number;
  /**
   * How many terms lists, maps and tuples may hold in all, keys and the bytes of byte lists included: 1,000,000 by
   * default, `Infinity` for any number. Bytes count five times.
   */
  maxNodes?: number;
}

export interface EncodeOptions {
  /** BigInts: `"throw"` a TypeError as JSON.stringify does (default), or write an `"integer"`. */
  bigint?: "throw" | "integer";
  /** How deep arrays and objects may nest: 1 to 1000, 512 by default. */
  maxDepth?: number;
}

/**
 * Reads one term, version byte included, that fills all of `input`.
 *
 * Binaries become strings, lists arrays, maps objects; nil, true and false become null, true and false, and other
 * atoms strings. A map's keys may be binaries, atoms (nil is "nil" there) and integers; of equal keys the last one
 * counts, as in JSON. `{bytes, Binary}` becomes a Uint8Array that is a view of `input`; all else shares no memory with
 * it. ASCII strings of 13 to 256 bytes may share a copy of up to 2 kB of it among each other.
 *
 * @throws {EtfError} for any bytes that are no such term. Memory taken before is at most a small multiple of the input.
 * @throws {TypeError} for an input that is no buffer, and for options that are none.
 */
export function decode(input: ArrayBuffer | ArrayBufferView, options?: DecodeOptions): Term;

/**
 * Writes a value as JSON.stringify would, but as a term: toJSON is called, keys whose value is undefined, a function
 * or a symbol are dropped (in arrays they are nil), NaN and infinities are nil, -0 is 0, lone surrogates are U+FFFD.
 * Whole numbers below 1e21 are integers, all other numbers floats. Strings and keys are binaries.
 *
 * Values that JSON writes as `{}` or an object of indices are written as what they are: ArrayBuffers, DataViews, Uint8Arrays and
 * Uint8ClampedArrays as `{bytes, Binary}` (before toJSON, which Node's Buffer has), other typed arrays and Sets as lists,
 * Maps as maps with text as keys. Blobs, Promises and other objects without data in them are refused.
 *
 * @throws {TypeError} for a value that contains itself, and for a BigInt without `bigint: "integer"`.
 * @throws {EtfError} no_value, bad_value, too_deep, big_integer, duplicate_key.
 */
export function encode(value: unknown, options?: EncodeOptions): Uint8Array<ArrayBuffer>;

/**
 * Writes a value at the start of `target`; returns how many bytes it took. After an error the target is as it was.
 *
 * @throws as encode does, and EtfError no_space if the target is too short.
 */
export function encodeInto(value: unknown, target: Uint8Array, options?: EncodeOptions): number;
