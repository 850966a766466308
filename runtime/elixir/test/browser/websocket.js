// A WebSocket for Node 20, of which the Phoenix client needs this much: RFC 6455 over a plain socket.
import { connect } from "node:net";
import { randomBytes } from "node:crypto";

const TEXT = 1;
const BINARY = 2;
const CLOSE = 8;

export class NodeWebSocket {
  static name = "WebSocket";
  static CONNECTING = 0;
  static OPEN = 1;
  static CLOSING = 2;
  static CLOSED = 3;
  readyState = 0;
  bufferedAmount = 0;
  #rest = Buffer.alloc(0);
  #socket;

  constructor(url) {
    const { hostname, port, pathname, search } = new URL(url);
    this.url = url;
    this.#socket = connect(Number(port), hostname, () =>
      this.#socket.write(
        `GET ${pathname}${search} HTTP/1.1\r\nHost: ${hostname}:${port}\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n` +
          `Sec-WebSocket-Key: ${randomBytes(16).toString("base64")}\r\nSec-WebSocket-Version: 13\r\n\r\n`,
      ),
    );
    this.#socket.on("data", (data) => this.#receive(data));
    this.#socket.on("error", (error) => this.onerror?.(error));
    this.#socket.on("close", () => this.#closed());
  }

  send(data) {
    const text = typeof data === "string";
    const body = text ? Buffer.from(data) : ArrayBuffer.isView(data) ? Buffer.from(data.buffer, data.byteOffset, data.byteLength) : Buffer.from(data);
    this.#write(text ? TEXT : BINARY, body);
  }

  close() {
    if (this.readyState >= 2) return;
    this.readyState = 2;
    this.#write(CLOSE, Buffer.alloc(0));
    this.#socket.end();
  }

  #write(opcode, body) {
    const head = body.length < 126 ? Buffer.alloc(2) : body.length < 65536 ? Buffer.alloc(4) : Buffer.alloc(10);
    head[0] = 128 | opcode;
    head[1] = 128 | (body.length < 126 ? body.length : body.length < 65536 ? 126 : 127);
    if (head.length === 4) head.writeUInt16BE(body.length, 2);
    if (head.length === 10) head.writeBigUInt64BE(BigInt(body.length), 2);
    const mask = randomBytes(4);
    this.#socket.write(Buffer.concat([head, mask, body.map((byte, i) => byte ^ mask[i & 3])]));
  }

  #receive(data) {
    this.#rest = Buffer.concat([this.#rest, data]);
    if (this.readyState === 0) {
      const end = this.#rest.indexOf("\r\n\r\n");
      if (end < 0) return;
      if (!this.#rest.toString("latin1", 0, 12).endsWith("101")) return this.#socket.destroy();
      this.#rest = this.#rest.subarray(end + 4);
      this.readyState = 1;
      this.onopen?.({});
    }
    while (this.#frame());
  }

  /** Takes one frame off what arrived; the test server never fragments. */
  #frame() {
    const rest = this.#rest;
    if (rest.length < 2) return false;
    const short = rest[1] & 127;
    const head = short < 126 ? 2 : short === 126 ? 4 : 10;
    if (rest.length < head) return false;
    const size = short < 126 ? short : short === 126 ? rest.readUInt16BE(2) : Number(rest.readBigUInt64BE(2));
    if (rest.length < head + size) return false;
    const body = rest.subarray(head, head + size);
    this.#rest = rest.subarray(head + size);
    const opcode = rest[0] & 15;
    if (opcode === TEXT) this.onmessage?.({ data: body.toString() });
    if (opcode === BINARY) this.onmessage?.({ data: Uint8Array.from(body).buffer });
    return true;
  }

  #closed() {
    const clean = this.readyState === 2;
    this.readyState = 3;
    this.onclose?.({ code: clean ? 1000 : 1006, wasClean: clean });
  }
}
