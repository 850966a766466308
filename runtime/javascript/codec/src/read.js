import { CodecError } from "./error.js";
import { defaultLimits, fail, open, openWhole } from "./frame.js";
import { unpack } from "./packing.js";
import { UNUSUAL } from "./usual.js";

export * from "./cells.js";
export * from "./order.js";
export { keepNear } from "./copy.js";
export { Decimal, orderDecimals } from "./decimal.js";
export { Opaque } from "./opaque.js";
export { bitsAt, bytesNear, isBytesNear, isStrictTextNear, isTextNear, listNear } from "./segments.js";
export { openOne, recordNear, sharedNear, shortOf, strictTextNear, textNear } from "./segments.js";
export { bound, charge, refuse } from "./usual.js";
export { needs } from "./version.js";

/** Sees to it that a module is of the schema and options that another one was generated for. */
export function linked(module, digest, name, other) {
  if (module?.() === digest) return;
  throw new Error(`${name}.js was generated for another ${other}.js: generate both again, from the same schemas and with the same options; or two schemas have that name`);
}

/**
 * The value of the message that begins at bytes[at], and where it ends. A message is a function for the usual ones, and the table
 * that says what all others are.
 */
export function readAt(usual, routine, bytes, at, limits = defaultLimits) {
  const r = open(bytes, at, limits);
  try {
    const value = usual(r, r.start);
    return [value, r.at - r.start + at];
  } catch (error) {
    if (error !== UNUSUAL && !(error instanceof CodecError)) throw error;
  }
  return walkAt(routine, bytes, at, limits);
}

/** The value of the message that bytes begin with. */
export function readWhole(usual, routine, bytes, limits = defaultLimits) {
  const r = openWhole(bytes, limits);
  try {
    return usual(r, r.start);
  } catch (error) {
    if (error !== UNUSUAL && !(error instanceof CodecError)) throw error;
  }
  return walkAt(routine, bytes, 0, limits)[0];
}

/** How many bytes the message has that bytes begin with; `check` is a function for the usual ones that makes no values. */
export function verify(check, routine, bytes, limits = defaultLimits) {
  const f = openWhole(bytes, limits);
  try {
    check(f, f.start);
    f.usual = true;
    return f.at - f.start;
  } catch (error) {
    if (error !== UNUSUAL && !(error instanceof CodecError)) throw error;
  }
  f.usual = false;
  return walkAt(routine, bytes, 0, limits)[1];
}

export const verifyPacked = (check, routine, bytes, limits) => packed(bytes, 0, (words) => verify(check, routine, words, limits))[1];

/** The same of packed words: they are unpacked first, and where a fault is in them has no place in what was given. */
export const readPackedAt = (usual, routine, bytes, at, limits) =>
  packed(bytes, at, (words) => readWhole(usual, routine, words, limits));

/** The value that `read` makes of the words that are packed from bytes[at] on, and their end. */
function packed(bytes, at, read) {
  const [words, end] = unpack(bytes, at);
  try {
    return [read(words), end];
  } catch (error) {
    if (error instanceof CodecError) error.offset = null;
    throw error;
  }
}

export const readPackedWhole = (usual, routine, bytes, limits) => readPackedAt(usual, routine, bytes, 0, limits)[0];

/** The same by the table alone. */
export function walkAt(routine, bytes, at, limits) {
  const r = open(bytes, at, limits);
  try {
    const [value, end] = routine.run(r, [r.start]);
    return [value, end - r.start + at];
  } catch (error) {
    if (error instanceof CodecError) error.offset += at;
    throw error;
  }
}

/** The message that the bytes are, with its name. */
export function readAny(form, bytes, limits) {
  const message = find(form, bytes);
  return { message, value: readWhole(...form.messages()[message], bytes, limits) };
}

/**
 * Finds out which message the bytes are. `expect` are values that must be found, `via` is the place of an offset that the id's
 * place counts from, `id` the id's place, and `meanings` has the message of each id (none where several messages have it).
 */
export function find({ expect, via, id, meanings }, bytes) {
  const r = open(bytes, 0, defaultLimits);
  const integer = ([at, size, read], from) => {
    if (at + size > r.end - from) fail(r, "truncated", from);
    return read(r, from + at);
  };
  for (const [place, want] of expect) {
    if (integer(place, r.start) !== want) fail(r, "unknown-message", r.start + place[0]);
  }
  const from = r.start + (via === undefined ? 0 : Number(integer(via, r.start)));
  if (from > r.end) fail(r, "bad-pointer", r.start);
  const found = meanings(integer(id, from));
  return found ?? fail(r, "unknown-message", from + id[0]);
}
