/**
 * Erlang terms as what they are, for programs that talk to Erlang without Phoenix: atoms, tuples, maps with any keys,
 * pids and references.
 */
import type { EtfError } from "./index.js";
export { EtfError } from "./index.js";

/** An Erlang atom. Those of one name are one object: compare with `===`, use them as keys of a Map. */
export class Atom {
  private constructor();
  readonly name: string;
  toString(): string;
  toJSON(): string;
}

/**
 * The atom of a name.
 *
 * @throws {TypeError} for more than 255 characters, and for nil, true and false: these are null, true and false.
 */
export function atom(name: string): Atom;

/** An Erlang tuple: an array of its elements. What its `map`, `filter` and `slice` make is a plain array. */
export class Tuple<Item = Term> extends Array<Item> {}
/** A tuple of these elements. */
export function tuple<Item = Term>(...elements: Item[]): Tuple<Item>;

/** A list that ends in `tail` instead of the empty list. */
export class ImproperList<Item = Term> {
  constructor(items: Item[], tail: Item);
  items: Item[];
  tail: Item;
}

/** A number that is written as a float though it is whole: `new Float(1)` is 1.0. */
export class Float {
  constructor(value: number);
  value: number;
}

/** A pid, port or reference: a value to send back, and nothing else. */
export class Opaque {
  private constructor();
  readonly kind: "pid" | "port" | "reference";
  readonly node: string;
  /** The term it came as, without a version byte. */
  readonly bytes: Uint8Array;
  equals(other: unknown): boolean;
  toString(): string;
}

/** The results of `decode`. Integers beyond 2^53 - 1 are BigInts. */
export type Term =
  | null
  | boolean
  | number
  | bigint
  | string
  | Atom
  | Uint8Array
  | Opaque
  | Term[]
  | Tuple
  | ImproperList
  | Map<Term, Term>;

/** The values that `encode` takes. */
export type Value =
  | Exclude<Term, Term[] | Tuple | ImproperList | Map<Term, Term>>
  | Float
  | ArrayBuffer
  | ArrayBufferView
  | readonly Value[]
  | ImproperList<Value>
  | ReadonlyMap<Value, Value>
  | ReadonlySet<Value>
  | { readonly [key: string]: Value };

export interface TermDecodeOptions {
  /**
   * Binaries: `"text"` (default) gives strings, refuses what is not UTF-8, and gives Uint8Arrays for `{bytes, Binary}`;
   * `"bytes"` gives a Uint8Array for every binary, and that tuple is one like others.
   */
  binaries?: "text" | "bytes";
  /** Binaries that are keys of maps: `"text"` (default) or `"bytes"`. */
  keys?: "text" | "bytes";
  /** How deep lists, maps and tuples may nest: 1 to 1000, 512 by default. */
  maxDepth?: number;
  /** How many terms there may be: 1,000,000 by default, `Infinity` for any number. */
  maxNodes?: number;
}

export interface TermEncodeOptions {
  /** How bytes are written: as `{bytes, Binary}` with `"text"` (default), or as binaries like strings with `"bytes"`. */
  binaries?: "text" | "bytes";
  /** Keys of plain objects: binaries with `"text"` (default), or atoms. Keys of a Map are what they are. */
  objectKeys?: "text" | "atom";
  /** How deep lists, maps and tuples may nest: 1 to 1000, 512 by default. */
  maxDepth?: number;
}

/**
 * Reads one term, version byte included, that fills all of `input`. nil, true and false are null, true and false; other
 * atoms are Atoms, maps Maps, tuples Tuples. Uint8Arrays are views of the input.
 *
 * Funs, bit strings, compressed terms, integers of more than 1024 bytes, and maps whose keys are one key to JavaScript
 * (1 and 1.0) are refused.
 *
 * @throws {EtfError} for any bytes that are no such term.
 * @throws {TypeError} for an input that is no buffer, and for options that are none.
 */
export function decode(input: ArrayBuffer | ArrayBufferView, options?: TermDecodeOptions): Term;

/**
 * Writes a value as the term it is. Whole numbers to 2^53 - 1 are integers, other numbers floats, BigInts integers,
 * strings binaries, arrays and Sets lists, typed arrays of larger or signed numbers lists of numbers. Nothing is left out
 * or made up: undefined, functions, symbols, NaN, objects of other classes and half surrogate pairs are refused.
 *
 * @throws {EtfError} bad_value, too_deep, duplicate_key.
 */
export function encode(value: Value, options?: TermEncodeOptions): Uint8Array<ArrayBuffer>;
