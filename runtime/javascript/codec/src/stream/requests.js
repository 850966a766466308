/** The reason why a request has no answer: `late`, `given-up`, or `duplicate` where another one with its id still waits. */
export class RequestError extends Error {
  name = "RequestError";

  constructor(code, text, options) {
    super(text, options);
    this.code = code;
  }
}

/** The key by which UUIDs are found, which may be written with letters of both cases. */
export const uuidKey = (id) => String(id).toLowerCase();

const LONGEST = 2 ** 31 - 1;

/**
 * Requests that wait for their answers, found by the id that both have. It moves no bytes: requests go out by a sender, and whoever
 * reads the other side's messages hands them in by `answer`.
 */
export class Requests {
  #ids;
  #answers;
  #key;
  #sender;
  #waiting = new Map();

  /** The tables of a schema: the field of the id by message, the answers by request, and the key of an id. */
  constructor({ ids, answers, key }, sender) {
    this.#ids = new Map(Object.entries(ids));
    this.#answers = new Map(Object.entries(answers));
    this.#key = key;
    this.#sender = sender;
  }

  /** How many wait. */
  get size() {
    return this.#waiting.size;
  }

  /**
   * Puts a request into the sender's stream, and gives what answers it. Fails with RequestError when nothing came in `timeout`
   * milliseconds, or as `signal` says. A request that cannot be sent does not wait.
   */
  async send(name, request, { timeout, signal } = {}) {
    const answers = this.#answers.get(name);
    if (answers === undefined) throw new TypeError(`${String(name)} is no request that is answered`);
    if (timeout !== undefined && !(timeout >= 0)) throw new RangeError("a timeout is a number of milliseconds");
    signal?.throwIfAborted();
    const key = this.#key(request[this.#ids.get(name)]);
    if (this.#waiting.has(key)) throw new RequestError("duplicate", `a request with the id ${key} still waits for its answer`);
    this.#sender.send(name, request);
    return new Promise((resolve, reject) => {
      const give = (settle, what) => {
        clearTimeout(timer);
        signal?.removeEventListener("abort", abort);
        this.#waiting.delete(key);
        settle(what);
      };
      const abort = () => give(reject, signal.reason);
      const late = () => give(reject, new RequestError("late", `no answer to the request ${key} in ${timeout} ms`));
      const timer = timeout === undefined ? undefined : setTimeout(late, Math.min(timeout, LONGEST));
      signal?.addEventListener("abort", abort);
      this.#waiting.set(key, { answers, resolve: (any) => give(resolve, any), reject: (why) => give(reject, why) });
    });
  }

  /**
   * Gives a message to the request that waits for it. False where none does: the answer came too late or twice, or is none of the
   * messages that answer the request of that id.
   */
  answer(any) {
    const field = this.#ids.get(any.message);
    const found = field === undefined ? undefined : this.#waiting.get(this.#key(any.value[field]));
    if (found === undefined || !found.answers.includes(any.message)) return false;
    found.resolve(any);
    return true;
  }

  /** Tells all requests that nothing will come, as when the connection is gone; gives how many there were. */
  giveUp(cause) {
    const gone = [...this.#waiting.values()];
    for (const { reject } of gone) reject(new RequestError("given-up", "the request was given up", { cause }));
    return gone.length;
  }
}
