/** A timer. Node runs at once what should wait longer than 2^31 - 1 milliseconds. */
export const later = (run, milliseconds) => setTimeout(run, Math.min(milliseconds, 2 ** 31 - 1));

/** Promises that are settled when what they wait for has come, each with its own test. */
export class Waiters {
  #waiting = new Set();

  /** A promise of what `test` gives, once that is not undefined. Where `late` is given, of a failure after so many milliseconds. */
  wait(test, timeout, late) {
    const there = test();
    if (there !== undefined) return Promise.resolve(there);
    return new Promise((resolve, reject) => {
      const waiter = { test, resolve, reject };
      if (timeout !== undefined) {
        waiter.timer = later(() => this.#settle(waiter, () => reject(late())), timeout);
      }
      this.#waiting.add(waiter);
    });
  }

  /** Something changed. */
  look() {
    for (const waiter of this.#waiting) {
      const there = waiter.test();
      if (there !== undefined) this.#settle(waiter, () => waiter.resolve(there));
    }
  }

  fail(why) {
    for (const waiter of this.#waiting) this.#settle(waiter, () => waiter.reject(why));
  }

  #settle(waiter, settle) {
    clearTimeout(waiter.timer);
    this.#waiting.delete(waiter);
    settle();
  }
}
