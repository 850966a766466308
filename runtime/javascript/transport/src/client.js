import { TransportError } from "./error.js";
import { MAX_TEXT, encodeFrame } from "./frame.js";
import { Inbox } from "./inbox.js";
import { MAX_U32, checkTimeout, checked, isU32, misused } from "./options.js";
import { End, MOST_CONTROL, Session, orEnd, refusal, unforeseen } from "./session.js";
import { openSocket } from "./socket.js";
import { Waiters, later } from "./waiters.js";

/** Milliseconds for which a connection that ends may still write its last words. */
const FAREWELL = 200;

const lost = (text) => End.lost(new TransportError("disconnected", text));

/** A producer, asker and subscriber at one server. It connects again by itself. */
export class Client {
  #options;
  #attempts = 0;
  #session;
  #socket;
  /** Timers of the session, of connecting again, and of connecting. */
  #timer;
  #again;
  #patience;
  #backoff;
  #isOpen = false;
  #begun = false;
  #wasUp = false;
  #closed = false;
  #waking = false;
  /** Why there will be no other connection. */
  #failure;
  #acks = new Waiters();
  #rooms = new Waiters();
  #ends = new Waiters();

  /** Connects and shakes hands; later connections come back by themselves. Whatever ends the first one before fails it. */
  static async connect(options) {
    const client = new Client(options);
    client.#open();
    const failure = await client.#ends.wait(() => client.#failure ?? (client.#begun ? null : undefined));
    if (failure !== null) throw failure;
    return client;
  }

  constructor(options) {
    const own = checked(options);
    this.#options = { ...own, onAsked: (correlation, bytes) => this.#asked(correlation, bytes) };
    this.#session = new Session(this.#options);
    this.#backoff = own.leastBackoff;
  }

  /** Takes a message and gives its sequence; it is acked when the watermark has come so far. */
  send(message) {
    const { maxMessage, outbox } = this.#session;
    if (!(message instanceof Uint8Array)) throw misused("a message is a Uint8Array");
    if (message.length > maxMessage) {
      throw new TransportError("frame-too-large", `a message of ${message.length} bytes; the server takes ${maxMessage}`);
    }
    this.#refuseEnded();
    if (!this.hasRoom) throw new TransportError("full", "too much is kept that is not acked: await ready()");
    if (this.#session.send(message, performance.now())) this.#wake();
    return outbox.appended;
  }

  /** Whether a message would be taken. */
  get hasRoom() {
    return this.#session.outbox.keptBytes < this.#options.maxKeptBytes;
  }

  /** When there is room for a message. */
  async ready() {
    if (this.hasRoom && this.#failure === undefined) return;
    this.#refuseEnded();
    // Acks of what lingers would be waited for as long as it lingers.
    this.#flush();
    await this.#rooms.wait(() => (this.hasRoom ? true : undefined));
  }

  /** When the message of that sequence is acked, and all before it. */
  async acked(sequence) {
    await this.#whenAcked(sequence);
  }

  /** Sends what lingers; when all messages are acked that were sent before. Fails with `deadline` after `timeout` milliseconds. */
  async flush({ timeout } = {}) {
    if (timeout !== undefined) checkTimeout(timeout);
    this.#flush();
    const upto = this.sent;
    const late = () => {
      const why = this.#session.isUp ? "the server has not said yet that it has them" : "there is no connection";
      return new TransportError("deadline", `${upto - this.#session.outbox.acked} messages are not acked: ${why}`);
    };
    await this.#whenAcked(upto, timeout, late);
  }

  /** Asks. Without a timeout the answer is waited for as long as the connection lasts. */
  async request(bytes, { timeout = 0 } = {}) {
    this.#refuseEnded();
    const { isUp, maxRequest } = this.#session;
    if (!(bytes instanceof Uint8Array)) throw misused("a request is a Uint8Array");
    checkTimeout(timeout);
    if (!isUp) throw new TransportError("disconnected", "not connected now");
    if (bytes.length > maxRequest) {
      throw new TransportError("frame-too-large", `a request of ${bytes.length} bytes; the server takes ${maxRequest}`);
    }
    return new Promise((resolve, reject) => {
      this.#session.request(bytes, Math.min(Math.ceil(timeout), MAX_U32), { resolve, reject }, performance.now());
      this.#wake();
    });
  }

  /** Gives the subscription's number. It outlives connections and goes on where it was. */
  subscribe({ topic, from = 0, credit = 1000, onPush, onEnd }) {
    this.#refuseEnded();
    if (!isU32(credit) || credit === 0) throw misused("a subscription needs credit, a number from 1 to 2^32 - 1");
    if (!Number.isSafeInteger(from) || from < 0) throw misused("a subscription begins at a sequence, or at 0 with what comes next");
    if (typeof topic !== "string") throw misused("a topic is a text");
    if (typeof onPush !== "function") throw misused("onPush is a function, which takes the messages");
    if (Buffer.byteLength(topic) > MAX_TEXT) throw misused(`a topic takes ${MAX_TEXT} bytes`);
    const id = this.#session.subscribe({ topic, from, credit, onPush, onEnd });
    this.#wake();
    return id;
  }

  unsubscribe(subscription) {
    this.#session.unsubscribe(subscription);
    this.#wake();
  }

  /** Flushes, tells the server that nothing follows; when it has closed, or the connection is lost: the client is over then. */
  async drain({ timeout = 5000 } = {}) {
    checkTimeout(timeout);
    const deadline = performance.now() + timeout;
    const left = () => Math.max(deadline - performance.now(), 1);
    // Others may send until the server is told.
    do await this.flush({ timeout: left() });
    while (this.#session.outbox.acked < this.sent);
    if (!this.#session.isUp) return this.close();
    this.#session.drain(Math.min(Math.ceil(left()), MAX_U32));
    this.#wake();
    const late = () => new TransportError("deadline", "all is acked, but the server did not close in time");
    await this.#ends.wait(() => this.#failure, left(), late);
  }

  /** Leaves at once; what is not acked is lost. */
  close() {
    if (this.#failure !== undefined || this.#closed) return;
    this.#closed = true;
    const why = new TransportError("normal");
    if (this.#socket === undefined) this.#ended(End.lost(new TransportError("closed", "the client is closed")));
    else this.#ended(new End(why, { fatal: true, tell: true }));
  }

  /** Why the client is over, once it is. */
  get over() {
    return this.#ends.wait(() => this.#failure);
  }

  get state() {
    return this.#session.state;
  }

  /** The last sequence that was given out, or that the server had from this producer before. */
  get sent() {
    return this.#session.outbox.appended;
  }

  get watermarks() {
    return this.#session.marks;
  }

  /** The epoch, which a server that has forgotten this producer makes higher. */
  get epoch() {
    return this.#session.epoch;
  }

  get producer() {
    return this.#options.producer;
  }

  get maxMessage() {
    return this.#session.maxMessage;
  }

  #flush() {
    this.#session.flush(this.sent);
    this.#wake();
  }

  #whenAcked(sequence, timeout, late) {
    const test = () => (this.#session.outbox.acked >= sequence ? true : undefined);
    if (this.#failure !== undefined && test() === undefined) return Promise.reject(this.#failure);
    return this.#acks.wait(test, timeout, late);
  }

  /** Nothing can be sent any more. */
  #refuseEnded() {
    if (this.#failure !== undefined) throw this.#failure;
    if (this.#session.leaving) throw new TransportError("closed", "the client drains");
  }

  #open() {
    this.#again = undefined;
    let socket;
    try {
      const { servers, tls } = this.#options;
      const server = servers[this.#attempts++ % servers.length];
      socket = openSocket({ ...server, tls }, () => this.#opened(socket));
    } catch (error) {
      return this.#ended(unforeseen(error));
    }
    this.#socket = socket;
    const inbox = new Inbox();
    const mine = (run) => (...given) => this.#socket === socket && run(...given);
    this.#patience = later(mine(() => this.#ended(lost("no connection in time"))), this.#options.connectTimeout);
    socket.on("data", mine((chunk) => this.#came(inbox, chunk)));
    socket.on("drain", mine(() => this.#work()));
    socket.on("error", mine((error) => this.#ended(lost(error.message))));
    socket.on("close", mine(() => this.#ended(lost("the server closed the connection"))));
    // An error of a socket that is left is nobody's.
    socket.on("error", () => {});
  }

  #opened(socket) {
    if (this.#socket !== socket) return;
    clearTimeout(this.#patience);
    this.#isOpen = true;
    this.#guarded(() => this.#session.connected(performance.now()));
    this.#work();
  }

  #came(inbox, chunk) {
    this.#guarded(() => {
      orEnd(() => inbox.add(chunk, (kind, body) => this.#session.received(kind, body, performance.now())));
    });
    if (this.#session.isUp) {
      this.#wasUp = true;
      this.#begun = true;
      this.#ends.look();
    }
    this.#acks.look();
    this.#rooms.look();
    this.#work();
  }

  /** Work is looked for once, however often it is asked for. */
  #wake() {
    if (this.#waking) return;
    this.#waking = true;
    queueMicrotask(() => {
      this.#waking = false;
      this.#work();
    });
  }

  /** Writes what there is to write, and sets the timer of what comes next. */
  #work() {
    clearTimeout(this.#timer);
    const socket = this.#socket;
    if (socket !== undefined && this.#isOpen) {
      this.#guarded(() => {
        const now = performance.now();
        this.#session.tick(now);
        this.#write(socket, now);
      });
      if (this.#socket === socket) {
        // Nothing can be written before the socket's `drain`, however long it lingers.
        const time = socket.writableNeedDrain ? this.#session.nextTick : this.#session.nextTime;
        this.#timer = later(() => this.#work(), Math.max(Math.ceil(time - performance.now()), 0));
      }
    }
    this.#tell();
  }

  #write(socket, now) {
    socket.cork();
    while (!socket.writableNeedDrain) {
      const control = this.#session.takeControl();
      const parts = control.length > 0 ? control : this.#session.next(now);
      if (parts === undefined) break;
      for (const part of parts) socket.write(part);
    }
    socket.uncork();
    // A server that does not read its answers asks no more.
    if (this.#session.controlBytes > MOST_CONTROL) socket.pause();
    else if (socket.isPaused()) socket.resume();
  }

  /** The user's functions may throw and may call this client: they are called when all is done here. */
  #tell() {
    for (const event of this.#session.events.splice(0)) queueMicrotask(event);
  }

  #guarded(run) {
    try {
      run();
    } catch (error) {
      this.#ended(error instanceof End ? error : unforeseen(error));
    }
  }

  /** The connection is at its end; another one comes, or none. */
  #ended(end) {
    const socket = this.#socket;
    this.#socket = undefined;
    this.#isOpen = false;
    for (const timer of [this.#timer, this.#patience, this.#again]) clearTimeout(timer);
    if (socket !== undefined) farewell(socket, end);
    const drained = this.#session.leaving;
    // The first connection may be to any of the servers.
    const isLastHope = !this.#begun && this.#attempts >= this.#options.servers.length;
    const over = end.fatal || drained || this.#closed || isLastHope;
    this.#session.disconnected(end.why, over);
    if (over) {
      this.#failure = this.#closed ? new TransportError("closed", "the client is closed") : drained ? new TransportError("normal", "drained") : end.why;
      this.#acks.fail(this.#failure);
      this.#rooms.fail(this.#failure);
      this.#ends.look();
    } else {
      if (this.#wasUp) this.#backoff = this.#options.leastBackoff;
      this.#wasUp = false;
      // A part is random, so that clients that lost a server together do not come back together.
      this.#again = later(() => this.#open(), this.#backoff * (0.5 + 0.5 * Math.random()));
      this.#backoff = Math.min(2 * this.#backoff, this.#options.mostBackoff);
    }
    this.#tell();
  }

  async #asked(correlation, bytes) {
    const socket = this.#socket;
    let answer;
    try {
      if (this.#options.onRequest === undefined) throw new TransportError("unsupported", "this client answers no requests");
      answer = ["normal", await this.#options.onRequest(bytes)];
      if (!(answer[1] instanceof Uint8Array)) throw new TransportError("handler", "an answer is a Uint8Array");
    } catch (error) {
      answer = refusal(error);
    }
    // A correlation is its connection's.
    if (this.#socket !== socket || socket === undefined) return;
    this.#guarded(() => this.#session.reply(correlation, ...answer));
    this.#wake();
  }
}

/** Says why this side goes, and goes. */
function farewell(socket, { why, tell }) {
  if (!tell || socket.connecting) return socket.destroy();
  socket.end(encodeFrame({ kind: "close", code: why.code, text: why.text }));
  const timer = setTimeout(() => socket.destroy(), FAREWELL);
  socket.once("close", () => clearTimeout(timer));
  socket.resume();
}
