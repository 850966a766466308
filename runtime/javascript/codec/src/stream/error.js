/**
 * Why a stream of messages cannot go on: a code, where the frame begins (a byte of all that was fed, or sent), the size that it would
 * have and the most or the least that it may have. What is wrong with a message is the `cause`.
 */
export class StreamError extends Error {
  name = "StreamError";

  constructor(code, offset, { size = 0, bound = 0, cause } = {}) {
    super(sentence(code, offset, size, bound, cause), cause === undefined ? undefined : { cause });
    this.code = code;
    this.offset = offset;
    this.size = size;
    this.bound = bound;
  }
}

function sentence(code, offset, size, bound, cause) {
  const place = `${code} at byte ${offset} of the stream`;
  switch (code) {
    case "frame-too-large":
    case "too-many-segments": return `${place}: ${size}, at most ${bound}`;
    case "frame-too-small": return `${place}: ${size}, at least ${bound}`;
    case "cut": return `${place}: it ends after ${size} bytes of a frame`;
    default: return cause === undefined ? place : `${place}: ${cause.message}`;
  }
}
