// Bytes inside of payloads that go to the server: whether there are any, and Blobs, which have to be read first.
import { isBlob, isBytes } from "./bytes.js";

const NONE = 0;
const BYTES = 1;
const BLOBS = 2;

/** Whether a payload holds bytes, and whether some of them are Blobs. What has toJSON says itself what it is. */
export function holding(payload) {
  // Payloads without nested objects are the most: for these no set is made.
  return look(payload, undefined);
}

function look(value, seen) {
  if (isBlob(value)) return BLOBS;
  if (isBytes(value)) return BYTES;
  if (typeof value.toJSON === "function" || ArrayBuffer.isView(value) || seen?.has(value)) return NONE;
  let most = NONE;
  for (const item of parts(value)) {
    if (typeof item !== "object" || item === null) continue;
    seen ??= new Set();
    seen.add(value);
    most = Math.max(most, look(item, seen));
    if (most === BLOBS) break;
  }
  return most;
}

const parts = (value) => (Array.isArray(value) || value instanceof Set ? value : value instanceof Map ? value.values() : Object.values(value));

export const hasBytes = (held) => held !== NONE;
export const hasBlobs = (held) => held === BLOBS;

/** The payload with the bytes of its Blobs in their places. */
export async function withoutBlobs(value) {
  if (typeof value !== "object" || value === null || isBytes(value)) return value;
  if (isBlob(value)) return value.arrayBuffer();
  if (typeof value.toJSON === "function" || ArrayBuffer.isView(value)) return value;
  if (Array.isArray(value) || value instanceof Set) return Promise.all(Array.from(value, withoutBlobs));
  const entries = value instanceof Map ? [...value] : Object.entries(value);
  const read = await Promise.all(entries.map(async ([key, item]) => [key, await withoutBlobs(item)]));
  return value instanceof Map ? new Map(read) : Object.fromEntries(read);
}
