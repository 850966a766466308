// A server in this process that does what a test says, frame by frame.
import assert from "node:assert/strict";
import { createServer } from "node:net";
import { Client } from "@aldis/transport";
import { checksum, decodeFrame, encodeFrame, entriesOf } from "../src/frame.js";
import { Inbox } from "../src/inbox.js";

export const PLENTY = { messages: 1_000_000, bytes: 100_000_000 };
const PATIENCE = 30_000;

/** Values in the order in which they come, to those who wait for one. */
class Queue {
  #values = [];
  #waiting = [];

  push(value) {
    const waiting = this.#waiting.shift();
    if (waiting === undefined) this.#values.push(value);
    else waiting(value);
  }

  next() {
    if (this.#values.length > 0) return Promise.resolve(this.#values.shift());
    return new Promise((resolve, reject) => {
      const timer = setTimeout(() => reject(new Error("nothing came")), PATIENCE);
      this.#waiting.push((value) => (clearTimeout(timer), resolve(value)));
    });
  }
}

/** The server's end of a connection. */
export class Peer {
  #frames = new Queue();

  constructor(socket) {
    this.socket = socket;
    const inbox = new Inbox();
    socket.on("data", (chunk) => inbox.add(chunk, (kind, body) => this.#frames.push(decodeFrame(kind, Buffer.from(body)))));
    socket.on("error", () => {});
    socket.on("close", () => this.#frames.push(null));
  }

  /** The next frame; null when the connection has ended. */
  read() {
    return this.#frames.next();
  }

  /** First sequence and texts of a batch whose checksum is right. */
  async batch() {
    const frame = await this.read();
    assert.equal(frame?.kind, "batch");
    assert.equal(frame.crc, checksum(frame));
    return [frame.first, entriesOf(frame.entries, frame.count).map(String)];
  }

  send(frame) {
    this.socket.write(encodeFrame(frame));
  }

  /** HELLO comes, WELCOME goes. */
  async greet(last = 0, more = {}) {
    const hello = await this.read();
    assert.equal(hello.kind, "hello");
    const { features, durability } = hello;
    this.send({ kind: "welcome", version: 1, features, session: 1n, last, credit: PLENTY, maxFrame: 1 << 20, durability, ...more });
    return hello;
  }

  ack(upto, more = {}) {
    this.send({ kind: "ack", received: upto, handled: upto, durable: upto, duplicates: 0, credit: PLENTY, ...more });
  }
}

/** A listening server; `use` says by what its sockets are made of connections. */
export class Fake {
  #peers = new Queue();
  #clients = [];

  constructor(make = createServer) {
    this.server = make((socket) => this.#peers.push(new Peer(socket.setNoDelay(true))));
    this.server.on("tlsClientError", () => {});
  }

  async listen() {
    await new Promise((resolve) => this.server.listen(0, "127.0.0.1", resolve));
    this.port = this.server.address().port;
    return this;
  }

  accept() {
    return this.#peers.next();
  }

  /** The options of a test's client, which is patient with nothing. */
  options(more) {
    return { host: "127.0.0.1", port: this.port, leastBackoff: 1, mostBackoff: 10, ...more };
  }

  connecting(more) {
    const client = Client.connect(this.options(more));
    client.then((made) => this.#clients.push(made), () => {});
    return client;
  }

  /** A client that has shaken hands. */
  async pair(options, last, welcome) {
    const connecting = this.connecting(options);
    const peer = await this.accept();
    await peer.greet(last, welcome);
    return [await connecting, peer];
  }

  close() {
    this.#clients.forEach((client) => client.close());
    this.server.close();
  }
}

/** Runs a test with a server of its own. */
export const withFake = (run, make) => async () => {
  const fake = await new Fake(make).listen();
  try {
    await run(fake);
  } finally {
    fake.close();
  }
};

export const bytes = (text) => Buffer.from(text);
export const sleep = (milliseconds) => new Promise((resolve) => setTimeout(resolve, milliseconds));
