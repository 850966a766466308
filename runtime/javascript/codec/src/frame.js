import { CodecError } from "./error.js";

/**
 * The state of reading: the bytes of the whole ArrayBuffer and a view of them, the message's first byte and its end, and what may
 * still be charged. Places count from the ArrayBuffer's first byte. There is one frame, since reading calls nobody's code.
 */
export const frame = {
  buffer: undefined,
  b: new Uint8Array(0),
  v: new DataView(new ArrayBuffer(0)),
  start: 0,
  // Behind what was read last.
  at: 0,
  end: 0,
  left: 0,
  depth: 0,
  surcharge: true,
  // Whether what was verified last is as messages usually are.
  usual: false,
  // The places of segments; for a single segment, its first byte.
  segments: [],
  first: 0,
  // The list that was read last: bits from one element to the next, bits of an element that is no record.
  count: 0,
  stride: 0,
  dataSize: 0,
  pointersSize: 0,
  bits: 0,
};

/** How much the bytes of one message may ask for: levels of records, and visited bytes by the input's size. */
export const defaultLimits = Object.freeze({ depth: 64, budgetFactor: 8, budgetBase: 262144, surcharge: true });

/** The limits of Cap'n Proto's own readers. */
export const referenceLimits = Object.freeze({ depth: 64, budgetFactor: 0, budgetBase: 64 << 20, surcharge: false });

/** Makes the frame that of a message which begins at bytes[at]. */
export function open(bytes, at, limits) {
  if (!(bytes instanceof Uint8Array)) throw new TypeError("a message is a Uint8Array");
  if (!(at >= 0 && at <= bytes.length && Number.isInteger(at))) throw new RangeError("the message begins outside of the bytes");
  if (limits !== defaultLimits) check(limits);
  const r = frame;
  if (bytes.buffer !== r.buffer) bytes = change(r, bytes);
  return begin(r, bytes, at, limits);
}

/** The same of a message that bytes begin with, mostly in memory that the frame knows. */
export function openWhole(bytes, limits) {
  const isKnown = limits === defaultLimits && bytes instanceof Uint8Array && bytes.buffer === frame.buffer;
  return isKnown ? begin(frame, bytes, 0, limits) : open(bytes, 0, limits);
}

function begin(r, bytes, at, limits) {
  r.start = bytes.byteOffset + at;
  r.end = bytes.byteOffset + bytes.length;
  r.left = limits.budgetFactor * (bytes.length - at) + limits.budgetBase;
  r.depth = limits.depth;
  r.surcharge = limits.surcharge;
  return r;
}

/** Limits that are not numbers would limit nothing: `NaN < 0` is false. */
function check({ depth, budgetFactor, budgetBase, surcharge }) {
  const counts = [depth, budgetFactor, budgetBase].every((limit) => limit >= 0 && typeof limit === "number");
  if (counts && typeof surcharge === "boolean") return;
  throw new TypeError("limits are depth, budgetFactor, budgetBase and surcharge; change some with {...defaultLimits, depth: 10}");
}

/** Makes the buffer of the bytes the frame's, or that of a copy where others may change what was checked. */
function change(r, bytes) {
  // Another thread may write into shared memory, and who has a resizable buffer may make it shorter.
  if (!(bytes.buffer instanceof ArrayBuffer) || bytes.buffer.resizable) bytes = Uint8Array.from(bytes);
  r.buffer = bytes.buffer;
  r.v = new DataView(bytes.buffer);
  r.b = new Uint8Array(bytes.buffer);
  return bytes;
}

/** Ends reading with a fault at a place of the frame. */
export function fail(r, code, at, path = []) {
  throw new CodecError(code, at - r.start, path);
}
