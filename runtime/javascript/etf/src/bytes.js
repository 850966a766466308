// The content of each kind of object: bytes, numbers, pairs or items; or nothing that can be written at once.

const tagOf = (value) => Object.prototype.toString.call(value).slice(8, -1);
const lengthOf = Object.getOwnPropertyDescriptor(ArrayBuffer.prototype, "byteLength").get;
const BYTES = new Set(["Uint8Array", "Uint8ClampedArray", "DataView"]);
// JSON makes {} of them all. SharedArrayBuffers may change while they are read, Blobs are read by a promise.
const NOTHING = new Set(["SharedArrayBuffer", "Blob", "File", "Promise", "WeakMap", "WeakSet", "WeakRef", "ReadableStream"]);

/** Whether a value is bytes: an ArrayBuffer, or a view of one that is not of larger or signed numbers. */
export function isBytes(value) {
  return ArrayBuffer.isView(value) ? BYTES.has(tagOf(value)) : tagOf(value) === "ArrayBuffer" && isBuffer(value);
}

/** Whether it is an ArrayBuffer, of a frame in the page too, and not only called so. */
function isBuffer(value) {
  try {
    return lengthOf.call(value) >= 0;
  } catch {
    return false;
  }
}

/** The bytes of what `isBytes` says holds some. */
export function bytesOf(value) {
  return ArrayBuffer.isView(value) ? new Uint8Array(value.buffer, value.byteOffset, value.byteLength) : new Uint8Array(value);
}

/** "Map", "Set", "numbers" (a typed array), "none" for what holds no data that can be read now, "object" for the rest. */
export function kindOf(value) {
  if (ArrayBuffer.isView(value)) return "numbers";
  const tag = tagOf(value);
  if (tag === "Map" || tag === "Set") return tag;
  return NOTHING.has(tag) ? "none" : "object";
}

/** Whether an object is a Blob or a File. */
export function isBlob(value) {
  return typeof value.arrayBuffer === "function" && NOTHING.has(tagOf(value));
}
