import { TransportError } from "./error.js";
import { LENGTH } from "./frame.js";

/** The longest frame that is believed, in bytes. */
const MAX_LENGTH = 64 << 20;

/** Bytes from a socket to whole frames. Memory grows with what has come, not with what a length claims. */
export class Inbox {
  #chunks = [];
  #have = 0;
  #need = LENGTH;

  /** Calls `take` with the kind and body of each frame that is whole with this chunk. Throws for a length that cannot be. */
  add(chunk, take) {
    this.#chunks.push(chunk);
    this.#have += chunk.length;
    if (this.#have < this.#need) return;
    let bytes = this.#chunks.length === 1 ? chunk : Buffer.concat(this.#chunks, this.#have);
    this.#need = LENGTH;
    while (bytes.length >= LENGTH) {
      const length = bytes.readUInt32LE(0);
      if (length === 0) throw new TransportError("protocol", "a frame without a kind came");
      if (length > MAX_LENGTH) throw new TransportError("frame-too-large", `a frame of ${length} bytes came`);
      this.#need = LENGTH + length;
      if (bytes.length < this.#need) break;
      take(bytes[LENGTH], bytes.subarray(LENGTH + 1, this.#need));
      bytes = bytes.subarray(this.#need);
      this.#need = LENGTH;
    }
    this.#chunks = bytes.length === 0 ? [] : [bytes];
    this.#have = bytes.length;
  }
}
