import { TransportError } from "./error.js";

/** Requests that wait for their answers. */
export class Requests {
  #last = 0n;
  #open = new Map();

  /** Gives the request's correlation. A deadline is a moment, or Infinity. */
  open(told, deadline) {
    this.#last++;
    this.#open.set(this.#last, { ...told, deadline });
    return this.#last;
  }

  /** An answer to a request that is not open, because it came too late, is nobody's. */
  answer(correlation, code, bytes) {
    const found = this.#open.get(correlation);
    if (found === undefined) return;
    this.#open.delete(correlation);
    if (code === "normal") found.resolve(bytes);
    else found.reject(new TransportError(code, bytes.toString()));
  }

  /** Those whose deadline has passed get no answer. */
  expire(now) {
    if (this.earliest <= now) this.#fail((open) => open.deadline <= now, new TransportError("deadline", "no answer in time"));
  }

  fail(why) {
    this.#fail(() => true, why);
  }

  /** When the first of them has waited enough. */
  get earliest() {
    let earliest = Infinity;
    for (const { deadline } of this.#open.values()) earliest = Math.min(earliest, deadline);
    return earliest;
  }

  #fail(which, why) {
    for (const [correlation, open] of this.#open) {
      if (!which(open)) continue;
      this.#open.delete(correlation);
      open.reject(why);
    }
  }
}
