import { TransportError } from "./error.js";
import { encodeFrame, entriesOf } from "./frame.js";

/** The subscriptions of a client, and how far each has come. */
export class Subscriptions {
  #last = 0;
  #open = new Map();

  /** `asked` has topic, from, credit, onPush, onEnd. Gives the number, and SUBSCRIBE as bytes: what no frame says is not opened. */
  open(asked) {
    const id = this.#last + 1;
    // The last sequence that came, and the one up to which CREDIT was said in this connection.
    const open = { asked, consumed: 0, granted: undefined };
    const bytes = encodeFrame(frameOf(id, open));
    this.#last = id;
    this.#open.set(id, open);
    return { id, bytes };
  }

  close(id) {
    return this.#open.delete(id);
  }

  /** SUBSCRIBE for all, in a new connection. */
  frames() {
    for (const open of this.#open.values()) open.granted = undefined;
    return Array.from(this.#open, ([id, open]) => frameOf(id, open));
  }

  /** The messages that are new, as a call of `onPush`, and a frame that grants more when half of the credit is used. */
  push({ subscription, first, count, entries }) {
    const messages = count > 0 ? entriesOf(entries, count) : undefined;
    if (messages === undefined) throw new TransportError("bad-count", "a PUSH whose entries and count disagree");
    const open = this.#open.get(subscription);
    const next = open === undefined ? Infinity : Math.max(first, open.consumed + 1);
    if (next >= first + count) return {};
    open.consumed = first + count - 1;
    open.granted ??= Math.max(first - 1, 0);
    const event = () => open.asked.onPush(next, messages.slice(next - first));
    if (open.consumed - open.granted < Math.ceil(open.asked.credit / 2)) return { event };
    open.granted = open.consumed;
    return { event, frame: { kind: "credit", subscription, consumed: open.consumed, credit: open.asked.credit } };
  }

  /** The server ended one: a call of `onEnd`. */
  end(id, why) {
    const open = this.#open.get(id);
    this.#open.delete(id);
    return open && (() => open.asked.onEnd?.(why));
  }
}

/** SUBSCRIBE for one: it goes on behind what has come of it. */
function frameOf(id, { asked, consumed }) {
  const from = consumed === 0 ? asked.from : consumed + 1;
  return { kind: "subscribe", subscription: id, from, credit: asked.credit, topic: asked.topic };
}
