// Helpers that the checks of streams share.
import assert from "node:assert/strict";

/** Feeds a stream to fresh receivers, whole, cut in two at every byte and byte by byte, and compares what each gives. */
export async function howeverCut(stream, fresh, expected) {
  const read = async (chunks) => {
    const seen = [];
    for await (const any of fresh().read(chunks)) seen.push(any);
    assert.deepEqual(seen, expected);
  };
  for (let cut = 0; cut <= stream.length; cut++) await read([stream.subarray(0, cut), stream.subarray(cut)]);
  await read(Array.from(stream, (byte) => Uint8Array.of(byte)));
  const blob = new Blob([stream]);
  await read(blob.stream());
  await read((async function* () {
    yield* blob.stream();
  })());
}
