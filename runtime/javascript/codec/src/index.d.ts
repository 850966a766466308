/** A fault of bytes, of JSON or of a value. */
export type Code =
  | "truncated"
  | "bad-pointer"
  | "bad-count"
  | "bad-text"
  | "bad-value"
  | "too-deep"
  | "too-large"
  | "unknown-message"
  | "bad-json"
  | "out-of-range";

/** A fault: `bad-count at byte 242 in orders[2].symbol`. */
export class CodecError extends Error {
  readonly code: Code;
  /** The place of the fault in the bytes or the text that were given; null if it is about a value. */
  readonly offset: number | null;
  /** Names of fields and indices of elements that lead to the value at fault. */
  readonly path: readonly (string | number)[];
  /** The fault in words, if the code does not say it all. */
  readonly detail: string;
}

/** How much the bytes of one message may ask for: levels of records, and visited bytes by the input's size. */
export interface Limits {
  readonly depth: number;
  readonly budgetFactor: number;
  readonly budgetBase: number;
  readonly surcharge: boolean;
}

/** 64 levels; visited bytes up to 8 times the message and 256 KiB, lists of small elements counted higher. */
export const defaultLimits: Limits;
/** Those of Cap'n Proto's own readers: 64 levels, 64 MiB visited. */
export const referenceLimits: Limits;

/** `±coefficient / 10^scale`. The scale is kept: 1.10 is not 1.1, and zero may be negative. */
export class Decimal {
  constructor(negative: boolean, coefficient: bigint, scale: number);
  /** The decimal that a text such as `-12.340` or `1.5e3` says exactly; `undefined` where it says none. */
  static parse(text: string): Decimal | undefined;
  readonly negative: boolean;
  readonly coefficient: bigint;
  readonly scale: number;
  toString(): string;
  toJSON(): string;
}

/** A value whose type the schema leaves open: a flat message, of one segment without a table, whose root it is. */
export class Opaque {
  constructor(bytes: Uint8Array);
  readonly bytes: Uint8Array;
}

/**
 * A message in memory: setters store fields where they lie, and fields cannot be read. Values are refused as encoding refuses them; one
 * that was refused may be stored in part, so set the field again. Memory must stay: where its ArrayBuffer was transferred or became
 * shorter, setters throw or do nothing.
 */
export interface Draft {
  /** The bytes of the message, where it lies by now; no copy of them. */
  readonly $bytes: Uint8Array;
  /**
   * Begins the message anew in bytes of the caller's, from `at` (0) on, as it was when the draft was made; gives where it ends. The
   * draft's setters store there from now on. Drafts of records within it that were asked for before stay where they were.
   */
  $into(target: Uint8Array, at?: number): number;
}

/** The moment of a timestamp, whose nanoseconds below a millisecond a Date has no room for. */
export function toDate(nanoseconds: bigint): Date;
/** The timestamp of a Date. */
export function fromDate(date: Date): bigint;
