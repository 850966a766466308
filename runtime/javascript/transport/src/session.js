import { TransportError, codeNumber, isFatal } from "./error.js";
import { DURABILITIES, ENTRY_HEAD, FEATURE, VERSION, checksum, decodeFrame, encodeFrame } from "./frame.js";
import { Outbox } from "./outbox.js";
import { Requests } from "./requests.js";
import { Subscriptions } from "./subscriptions.js";

/** NACKs of damage without progress in between before the connection is given up. */
const MOST_NACKS = 8;
/** Bytes of answers that wait to be written, beyond which the server is not read. */
export const MOST_CONTROL = 1 << 20;
/** No server has less: the handshake alone may be this long. */
const SMALLEST_MAX_FRAME = 64;

/** A connection is at its end: why, whether there is to be no other, and whether the server is to be told. */
export class End extends Error {
  constructor(why, { fatal, tell }) {
    super(why.message);
    Object.assign(this, { why, fatal, tell });
  }

  static lost(why) {
    return new End(why, { fatal: isFatal(why.code), tell: false });
  }
}

/** An error that nobody foresaw, as of options that no socket is made of: it would come again in every connection. */
export function unforeseen(error) {
  const why = new TransportError("misused", error.message);
  return new End(Object.assign(why, { cause: error }), { fatal: true, tell: true });
}

/** A new connection may do better. */
const broken = (code, text) => new End(new TransportError(code, text), { fatal: false, tell: true });
const fatal = (code, text) => new End(new TransportError(code, text), { fatal: true, tell: true });

/**
 * The client's half of aldis/1 without sockets and timers: frames go in, frames and calls of the user's functions come out. It outlives
 * connections: what is not acked is sent again in the next one. Moments are milliseconds.
 */
export class Session {
  state = "connecting";
  /** The server has been told that nothing follows. */
  leaving = false;
  /** Frames that go before batches. */
  control = [];
  controlBytes = 0;
  /** Calls of the user's functions. */
  events = [];
  epoch;
  outbox;
  marks = { acked: 0, received: 0, handled: 0, durable: 0, duplicates: 0 };
  #options;
  #greeted = false;
  #begun = false;
  #pushes = false;
  // Since when a PING waits for any answer.
  #pinged;
  #nacks = 0;
  // Refusals of the handler without progress in between.
  #refusals = 0;
  // A message's sequence in this epoch is its sequence less this.
  #base = 0;
  #highestSent = 0;
  #flush = 0;
  #credit = { messages: 0, bytes: 0 };
  #maxFrame = 1 << 20;
  #heard = 0;
  #openSince = 0;
  #heldUntil;
  #requests = new Requests();
  #subscriptions = new Subscriptions();

  constructor(options) {
    this.#options = options;
    this.epoch = options.epoch;
    this.outbox = new Outbox(options.batchBytes);
  }

  /** A socket is there: says HELLO. */
  connected(now) {
    const { checksum, schema, producer, auth, durability, window } = this.#options;
    this.state = "connecting";
    this.#greeted = false;
    this.#pinged = undefined;
    this.#heard = now;
    this.#refusals = 0;
    this.#heldUntil = undefined;
    this.#clear();
    const features = (checksum ? 0 : FEATURE.noChecksum) | (schema === undefined ? 0 : FEATURE.schema) | FEATURE.push;
    this.say({
      kind: "hello", version: VERSION, features, producer, epoch: this.epoch, authMethod: auth.method, authData: auth.data, durability, window,
    });
  }

  /** The socket is gone. With `over` there will be no other. */
  disconnected(why, over) {
    this.#clear();
    this.#greeted = false;
    this.#requests.fail(new TransportError("disconnected", why.text));
    this.#setState(over ? "over" : "connecting", why);
  }

  say(frame) {
    this.#put(encodeFrame(frame));
  }

  #put(bytes) {
    this.control.push(bytes);
    this.controlBytes += bytes.length;
  }

  /** The frames that wait to be written. */
  takeControl() {
    const taken = this.control;
    this.#clear();
    return taken;
  }

  /** Takes a frame's kind and body; throws End. */
  received(kind, body, now) {
    this.#heard = now;
    this.#pinged = undefined;
    const frame = understood(kind, body);
    if (frame.kind === "close") throw End.lost(new TransportError(frame.code, frame.text));
    if (frame.kind === "unknown") return;
    if (frame.kind === "welcome") return this.#welcome(frame);
    if (!this.#greeted) throw broken("protocol", "the server's first frame is no WELCOME");
    const taken = this.#taken[frame.kind];
    if (taken === undefined) throw broken("protocol", `a frame of kind ${kind} from the server`);
    taken(frame, now);
  }

  #taken = {
    ack: (frame) => this.#ack(frame),
    nack: (frame, now) => this.#nack(frame, now),
    request: ({ correlation, bytes }) => this.events.push(() => this.#options.onAsked(correlation, bytes)),
    reply: ({ correlation, code, bytes }) => this.#requests.answer(correlation, code, bytes),
    push: (frame) => this.#push(frame),
    ping: (frame) => this.#ping(frame),
    pong: () => {},
    drain: (frame) => {
      // Behind the last batch, so that the server need not wait longer than for its acks.
      if (this.state === "ready") this.say(frame);
      this.#setState("draining", new TransportError("draining", "the server drains"));
    },
    unsubscribe: ({ subscription, code, text }) => {
      const event = this.#subscriptions.end(subscription, new TransportError(code, text));
      if (event !== undefined) this.events.push(event);
    },
  };

  /** The work that time brings: pings, the end of patience, requests that nobody answered. Throws End. */
  tick(now) {
    const { connectTimeout, pingAfter } = this.#options;
    this.#requests.expire(now);
    const silent = now - this.#heard;
    const idle = (text, tell) => new End(new TransportError("idle", text), { fatal: false, tell });
    if (!this.#greeted && silent >= connectTimeout) throw idle("no WELCOME in time", false);
    if (now - this.#pinged >= pingAfter) throw idle("the server answers no PING", true);
    if (this.#greeted && silent >= pingAfter && this.#pinged === undefined) {
      this.#pinged = now;
      this.say({ kind: "ping", opaque: 0n });
    }
  }

  /** When `tick` has something to do. */
  get nextTick() {
    const { connectTimeout, pingAfter } = this.#options;
    const patience = (this.#pinged ?? this.#heard) + (this.#greeted ? pingAfter : connectTimeout);
    return Math.min(this.#requests.earliest, patience);
  }

  /** When `tick` has something to do, or `next`. */
  get nextTime() {
    const time = this.nextTick;
    if (this.state !== "ready") return time;
    // A refused message waits, and all behind it.
    if (this.#heldUntil !== undefined) return Math.min(time, this.#heldUntil);
    // While a closed chunk waits for credit the open one lingers on.
    return this.outbox.hasOpen && !this.outbox.hasNext ? Math.min(time, this.#openSince + this.#options.linger) : time;
  }

  /** The next BATCH as its head and its entries, as far as credit, linger and the server allow. Throws End. */
  next(now) {
    if (this.state !== "ready" || now < this.#heldUntil) return undefined;
    this.#heldUntil = undefined;
    const { outbox } = this;
    const due = this.#flush > outbox.sent || now >= this.#openSince + this.#options.linger;
    if (!outbox.hasNext && due) outbox.closeChunk();
    const outgoing = outbox.next(this.#credit, this.#maxEntries);
    if (outgoing === undefined) return undefined;
    const { count, entries } = outgoing;
    if (entries.length > this.#maxEntries) {
      throw fatal("frame-too-large", `a message that is kept has ${entries.length - ENTRY_HEAD} bytes; the server takes ${this.maxMessage}`);
    }
    this.#highestSent = Math.max(this.#highestSent, outbox.sent);
    const batch = { kind: "batch", first: outgoing.first - this.#base, count, crc: 0, ...this.#options.schema };
    if (this.#options.checksum) batch.crc = checksum({ ...batch, entries });
    return [encodeFrame({ ...batch, entries: NOTHING }, entries.length), entries];
  }

  /** Takes a message; whether there is something to do: a chunk was closed, or one that lingers begun. */
  send(message, now) {
    const { outbox } = this;
    const had = outbox.hasOpen;
    if (!had) this.#openSince = now;
    outbox.append(message);
    return !had || !outbox.hasOpen;
  }

  flush(upto) {
    this.#flush = Math.max(this.#flush, upto);
  }

  /** A deadline of 0 milliseconds waits as long as the connection lasts. `told` has resolve and reject. */
  request(bytes, milliseconds, told, now) {
    const correlation = this.#requests.open(told, milliseconds > 0 ? now + milliseconds : Infinity);
    this.say({ kind: "request", correlation, deadline: milliseconds, bytes });
  }

  /** Answers a request of the server. An answer too long for a frame would end the connection, so the server is told that. */
  reply(correlation, code, bytes) {
    const most = this.maxRequest;
    if (bytes.length <= most) return this.say({ kind: "reply", correlation, code, bytes });
    const text = Buffer.from(`an answer of ${bytes.length} bytes; a frame takes ${most}`);
    this.say({ kind: "reply", correlation, code: "frame-too-large", bytes: text.subarray(0, most) });
  }

  /** Gives the subscription's number. It is said now, or when the connection is there again. */
  subscribe(asked) {
    if (!this.#pushes) throw new TransportError("unsupported", "the server has no subscriptions");
    const { id, bytes } = this.#subscriptions.open(asked);
    if (this.isUp) this.#put(bytes);
    return id;
  }

  unsubscribe(subscription) {
    if (this.#subscriptions.close(subscription) && this.isUp) this.say({ kind: "unsubscribe", subscription, code: "normal", text: "" });
  }

  /** Says that no batches follow; the server closes when it has acked all. However this connection ends, it is the last. */
  drain(milliseconds) {
    this.leaving = true;
    this.state = "draining";
    this.say({ kind: "drain", milliseconds });
  }

  get isUp() {
    return this.#greeted && (this.state === "ready" || this.state === "draining");
  }

  /** The longest message that the server takes. */
  get maxMessage() {
    return this.#maxEntries - ENTRY_HEAD;
  }

  /** The longest request, and the longest answer to one: without kind, correlation, and deadline or code. */
  get maxRequest() {
    return this.#maxFrame - 1 - 12;
  }

  /** Bytes of entries in a frame: without kind, first, count, checksum, schema and template. */
  get #maxEntries() {
    return this.#maxFrame - 1 - 16 - (this.#options.schema === undefined ? 0 : 8);
  }

  #clear() {
    this.control = [];
    this.controlBytes = 0;
  }

  #setState(state, why) {
    if (this.state === state) return;
    this.state = state;
    this.events.push(() => this.#options.onState?.(state, why));
  }

  #welcome({ version, durability, features, maxFrame, last, credit }) {
    const { durability: wanted, checksum, schema } = this.#options;
    if (this.#greeted) throw broken("protocol", "a second WELCOME");
    if (version !== VERSION) throw fatal("version", `the server speaks version ${version}`);
    if (DURABILITIES.indexOf(durability) < DURABILITIES.indexOf(wanted)) {
      throw fatal("unsupported", "the server grants less durability than is wanted");
    }
    if (!checksum && !(features & FEATURE.noChecksum)) throw fatal("unsupported", "the server wants checksums");
    if (schema !== undefined && !(features & FEATURE.schema)) throw fatal("unsupported", "the server takes no schema ids");
    if (maxFrame < SMALLEST_MAX_FRAME) throw broken("protocol", `a max frame of ${maxFrame}`);
    this.#resume(last);
    this.#greeted = true;
    this.#nacks = 0;
    this.#credit = credit;
    this.#maxFrame = maxFrame;
    this.#pushes = (features & FEATURE.push) !== 0;
    if (this.#pushes) this.#subscriptions.frames().forEach((frame) => this.say(frame));
    this.#setState("ready");
  }

  /** The server has this producer's messages up to `last`: forgets those, and sends all others again. */
  #resume(last) {
    const { outbox } = this;
    if (!this.#begun) {
      this.#begun = true;
      outbox.beginAfter(last);
      this.marks = { ...this.marks, acked: last };
      this.#highestSent = last;
      return;
    }
    const known = this.#base + last;
    if (known > this.#highestSent) {
      throw fatal("superseded", "the server has messages of this producer that this client did not send");
    }
    if (known < outbox.acked) {
      // The server has forgotten messages that it had acked. They count as sent; the others begin a new epoch.
      this.epoch++;
      this.#base = this.#highestSent = outbox.acked;
      outbox.rewind(outbox.acked + 1);
      throw broken("unavailable", "the server has forgotten this producer; a new epoch begins");
    }
    if (known > outbox.acked) {
      this.#advance(known);
      this.#tellAcked();
    }
    outbox.rewind(outbox.acked + 1);
  }

  #advance(sequence) {
    this.outbox.ack(sequence);
    this.marks = { ...this.marks, acked: sequence };
    this.#nacks = 0;
    this.#refusals = 0;
  }

  #tellAcked() {
    const { marks } = this;
    if (this.#options.onAck !== undefined) this.events.push(() => this.#options.onAck(marks));
  }

  #ack({ received, handled, durable, duplicates, credit, ...levels }) {
    // Replicated messages have no watermark of their own.
    Object.assign(levels, { received, handled, durable, replicated: durable });
    const mark = this.#base + levels[this.#options.durability];
    if (mark > this.#highestSent) throw broken("protocol", `an ACK of ${mark}, which was not sent`);
    const known = (level) => this.#base + level;
    this.marks = { acked: this.marks.acked, received: known(received), handled: known(handled), durable: known(durable), duplicates };
    this.#credit = credit;
    if (mark > this.outbox.acked) this.#advance(mark);
    this.#tellAcked();
  }

  #nack({ expected, code, text }, now) {
    const { retryRefused, leastBackoff, mostBackoff, onRefused } = this.#options;
    const sequence = this.#base + expected;
    if (sequence <= this.outbox.acked || sequence > this.#highestSent + 1) {
      throw broken("protocol", `a NACK of ${sequence}, which is acked or was not sent`);
    }
    if (code === "refused") {
      if (!retryRefused) throw fatal("refused", `message ${sequence}: ${text}`);
      this.#heldUntil = now + Math.min(leastBackoff * 2 ** this.#refusals, mostBackoff);
      this.#refusals++;
      this.events.push(() => onRefused?.(sequence, text));
    } else if (++this.#nacks > MOST_NACKS) {
      throw broken(code, text);
    }
    this.outbox.rewind(sequence);
  }

  #push(frame) {
    const { event, frame: credit } = orEnd(() => this.#subscriptions.push(frame));
    if (event !== undefined) this.events.push(event);
    if (credit !== undefined) this.say(credit);
  }

  #ping({ opaque }) {
    this.say({ kind: "pong", opaque });
    if (this.controlBytes > MOST_CONTROL) throw broken("slow", "the server asks and does not read the answers");
  }
}

const NOTHING = Buffer.alloc(0);

const understood = (kind, body) => orEnd(() => decodeFrame(kind, body));

/** The result of `run`; a TransportError that it throws ends the connection. */
export function orEnd(run) {
  try {
    return run();
  } catch (error) {
    throw error instanceof TransportError ? broken(error.code, error.text) : error;
  }
}

/** The code and the bytes of a reply that says what went wrong. */
export function refusal(error) {
  const code = error instanceof TransportError && codeNumber(error.code) !== 0 ? error.code : "handler";
  const text = error instanceof TransportError ? error.text : String(error?.message ?? error);
  return [code, Buffer.from(text)];
}
