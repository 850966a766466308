/** The chunks of a ReadableStream, a stream of Node, or anything that can be iterated. */
export function chunks(source) {
  if (source?.[Symbol.asyncIterator] !== undefined || source?.[Symbol.iterator] !== undefined) return source;
  if (typeof source?.getReader === "function") return fromReader(source);
  throw new TypeError("a source is a ReadableStream, a stream of Node, or an iterable of Uint8Arrays");
}

/** Not every browser lets a ReadableStream be iterated. */
async function* fromReader(stream) {
  const reader = stream.getReader();
  let done = false;
  try {
    for (;;) {
      const next = await reader.read();
      done = next.done;
      if (done) return;
      yield next.value;
    }
  } finally {
    if (!done) await reader.cancel();
    reader.releaseLock();
  }
}
