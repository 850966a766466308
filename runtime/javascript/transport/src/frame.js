import { crc32 } from "./crc32.js";
import { TransportError, codeName, codeNumber } from "./error.js";

export const VERSION = 1;
export const FEATURE = { noChecksum: 1, schema: 4, push: 8 };
export const DURABILITIES = ["received", "handled", "durable", "replicated"];
/** Bytes of a text, and of an auth method with its data. */
export const MAX_TEXT = 1024;
export const MAX_AUTH = 4096 - 43;
/** Bytes of the length in front of a frame, and of the size in front of an entry. */
export const LENGTH = 4;
export const ENTRY_HEAD = 4;

const strict = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });

const MAGIC = Buffer.from("ALDIS");

/** How each type of field is read from `f.b` at `f.at`, and written. What is not there makes `f.at` lie beyond the end. */
const TYPES = {
  u8: [(f) => f.b.readUInt8(step(f, 1)), (f, value) => put(f, 1, (b, at) => b.writeUInt8(value, at))],
  u16: [(f) => f.b.readUInt16LE(step(f, 2)), (f, value) => put(f, 2, (b, at) => b.writeUInt16LE(value, at))],
  u32: [(f) => f.b.readUInt32LE(step(f, 4)), (f, value) => put(f, 4, (b, at) => b.writeUInt32LE(value, at))],
  u64: [(f) => f.b.readBigUInt64LE(step(f, 8)), (f, value) => put(f, 8, (b, at) => b.writeBigUInt64LE(value, at))],
  // Sequences are numbers: one beyond 2^53 was never sent.
  sequence: [(f) => Number(TYPES.u64[0](f)), (f, value) => TYPES.u64[1](f, BigInt(value))],
  durability: [
    (f) => DURABILITIES[TYPES.u8[0](f)] ?? malformed(),
    (f, value) => TYPES.u8[1](f, DURABILITIES.indexOf(value)),
  ],
  code: [(f) => codeName(TYPES.u16[0](f)), (f, value) => TYPES.u16[1](f, codeNumber(value))],
  longCode: [(f) => codeName(TYPES.u32[0](f)), (f, value) => TYPES.u32[1](f, codeNumber(value))],
  window: [
    (f) => ({ messages: TYPES.u32[0](f), bytes: TYPES.u32[0](f) }),
    (f, { messages, bytes }) => (TYPES.u32[1](f, messages), TYPES.u32[1](f, bytes)),
  ],
  producer: [(f) => slice(f, 16), (f, value) => bytes(f, value)],
  magic: [(f) => (MAGIC.equals(slice(f, 5)) ? undefined : malformed()), (f) => bytes(f, MAGIC)],
  short: [(f) => slice(f, TYPES.u8[0](f)), (f, value) => (TYPES.u8[1](f, value.length), bytes(f, value))],
  sized: [(f) => slice(f, TYPES.u16[0](f)), (f, value) => (TYPES.u16[1](f, value.length), bytes(f, value))],
  text: [readText, (f, value) => TYPES.sized[1](f, cut(value))],
  rest: [(f) => slice(f, f.b.length - f.at), (f, value) => bytes(f, value)],
};

/** The frames by kind: their name, and their fields in order. */
const KINDS = new Map([
  [0x01, ["hello", {
    magic: "magic", version: "u8", features: "u32", producer: "producer", epoch: "u32", authMethod: "short", authData: "sized",
    durability: "durability", window: "window",
  }]],
  [0x02, ["welcome", {
    version: "u8", features: "u32", session: "u64", last: "sequence", credit: "window", maxFrame: "u32", durability: "durability",
  }]],
  [0x03, ["batch", { first: "sequence", count: "u32", crc: "u32", entries: "rest" }]],
  [0x04, ["ack", { received: "sequence", handled: "sequence", durable: "sequence", duplicates: "sequence", credit: "window" }]],
  [0x05, ["nack", { expected: "sequence", code: "code", text: "text" }]],
  [0x06, ["request", { correlation: "u64", deadline: "u32", bytes: "rest" }]],
  [0x07, ["reply", { correlation: "u64", code: "longCode", bytes: "rest" }]],
  [0x08, ["push", { subscription: "u32", first: "sequence", count: "u32", entries: "rest" }]],
  [0x09, ["ping", { opaque: "u64" }]],
  [0x0a, ["pong", { opaque: "u64" }]],
  [0x0b, ["drain", { milliseconds: "u32" }]],
  [0x0c, ["close", { code: "code", text: "text" }]],
  [0x0d, ["subscribe", { subscription: "u32", from: "sequence", credit: "u32", topic: "text" }]],
  [0x0e, ["unsubscribe", { subscription: "u32", code: "code", text: "text" }]],
  [0x0f, ["credit", { subscription: "u32", consumed: "sequence", credit: "u32" }]],
]);

const SCHEMA_BATCH = { first: "sequence", count: "u32", crc: "u32", schema: "u32", template: "u32", entries: "rest" };

const NUMBERS = new Map(Array.from(KINDS, ([number, [name]]) => [name, number]));

function malformed() {
  throw new RangeError("a field cannot be so");
}

function step(f, size) {
  const at = f.at;
  f.at += size;
  return at;
}

function slice(f, size) {
  const at = step(f, size);
  return f.at <= f.b.length ? f.b.subarray(at, f.at) : malformed();
}

function readText(f) {
  const text = TYPES.sized[0](f);
  return text.length <= MAX_TEXT ? strict.decode(text) : malformed();
}

/** A text in as many bytes as its field takes, cut between characters. */
function cut(text) {
  const all = Buffer.from(text);
  let end = Math.min(all.length, MAX_TEXT);
  while (end < all.length && (all[end] & 0xc0) === 0x80) end--;
  return all.subarray(0, end);
}

function put(f, size, write) {
  const part = Buffer.allocUnsafe(size);
  write(part, 0);
  f.parts.push(part);
}

function bytes(f, value) {
  f.parts.push(value);
}

/** Reads a frame from its kind and body; with the feature SCHEMA batches say theirs. Throws `protocol` for what cannot be understood. */
export function decodeFrame(kind, body, schema = false) {
  if (kind >= 0x80) return { kind: "unknown", number: kind, body };
  const known = KINDS.get(kind);
  if (known === undefined) throw new TransportError("protocol", `there is no frame of kind ${kind}`);
  const f = { b: body, at: 0 };
  const frame = { kind: known[0] };
  try {
    for (const [field, type] of Object.entries(fieldsOf(known, schema))) {
      const value = TYPES[type][0](f);
      if (value !== undefined) frame[field] = value;
    }
    if (f.at !== body.length) malformed();
  } catch {
    throw new TransportError("protocol", `a frame of kind ${kind} cannot have this body of ${body.length} bytes`);
  }
  return frame;
}

const fieldsOf = ([name, fields], schema) => (name === "batch" && schema ? SCHEMA_BATCH : fields);

/** The whole frame, its length first. With `behind`, so many bytes follow that belong to it. */
export function encodeFrame(frame, behind = 0) {
  const number = NUMBERS.get(frame.kind) ?? frame.number;
  const fields = frame.kind === "unknown" ? { body: "rest" } : fieldsOf(KINDS.get(number), frame.schema !== undefined);
  const f = { parts: [Buffer.alloc(LENGTH + 1)] };
  for (const [field, type] of Object.entries(fields)) TYPES[type][1](f, frame[field]);
  const all = Buffer.concat(f.parts);
  all.writeUInt32LE(all.length - LENGTH + behind, 0);
  all[LENGTH] = number;
  return all;
}

/** The checksum of a batch: over first, count and all that follows the checksum in the frame. */
export function checksum({ first, count, schema, template, entries }) {
  const head = Buffer.alloc(schema === undefined ? 12 : 20);
  head.writeBigUInt64LE(BigInt(first), 0);
  head.writeUInt32LE(count, 8);
  if (schema !== undefined) {
    head.writeUInt32LE(schema, 12);
    head.writeUInt32LE(template, 16);
  }
  return crc32(entries, crc32(head));
}

/** The entries of a BATCH or PUSH where they are exactly `count`; else nothing. */
export function entriesOf(entries, count) {
  // Before memory is taken for so many.
  if (count * ENTRY_HEAD > entries.length) return undefined;
  const found = [];
  let at = 0;
  while (found.length < count) {
    if (entries.length - at < ENTRY_HEAD) return undefined;
    const end = at + ENTRY_HEAD + entries.readUInt32LE(at);
    if (end > entries.length) return undefined;
    found.push(entries.subarray(at + ENTRY_HEAD, end));
    at = end;
  }
  return at === entries.length ? found : undefined;
}
