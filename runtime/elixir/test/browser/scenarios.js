// The common parts of the tests: the ways of carrying messages, what they do with channels, the browser's flags.
import { LongPoll } from "phoenix";
import { etf, longPoll } from "../../../javascript/etf/src/phoenix.js";

/** A network that lets no websocket through. */
class NoWebSocket {
  constructor() {
    setTimeout(() => this.onerror?.(new Error("no websockets here")));
  }
  close() {}
}

/** Ways of talking: an old tab in JSON, terms from the server alone, terms both ways. */
export const MODES = {
  json: { path: "/socket", options: {} },
  down: { path: "/socket", options: etf() },
  both: { path: "/both", options: etf({ up: "etf" }) },
};

/** The same over long polling: from the start, or where a websocket cannot be had. */
export const POLLED = {
  json: { path: "/socket", options: { transport: LongPoll } },
  down: { path: "/socket", options: { ...etf({ up: "auto" }), transport: longPoll(LongPoll) } },
  both: { path: "/both", options: { ...etf({ up: "auto" }), transport: longPoll(LongPoll) } },
  fallback: { path: "/both", options: { ...etf({ up: "etf" }), transport: NoWebSocket, longPollFallbackMs: 20 } },
};

/** Chromium with nothing but the page. */
export const FLAGS = ["--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking", "--disable-component-update", "--disable-sync"];

/** The result of a push as a promise; a reply other than ok rejects with its response. */
export function push(channel, event, payload) {
  return new Promise((resolve, reject) =>
    channel
      .push(event, payload, 5000)
      .receive("ok", resolve)
      .receive("error", (response) => reject(Object.assign(new Error("refused"), { response })))
      .receive("timeout", () => reject(new Error(`${event}: timeout`))),
  );
}

export function join(channel) {
  return new Promise((resolve, reject) =>
    channel.join(5000).receive("ok", resolve).receive("error", reject).receive("timeout", () => reject(new Error("join: timeout"))),
  );
}

/** The next message of an event. */
export function next(channel, event) {
  return new Promise((resolve) => {
    const ref = channel.on(event, (payload) => {
      channel.off(event, ref);
      resolve(payload);
    });
  });
}

export function bytes(size) {
  return Uint8Array.from({ length: size }, (_, i) => (i * 31 + (i >> 8)) & 255).buffer;
}

export function crc32(buffer) {
  let crc = -1;
  for (const byte of new Uint8Array(buffer)) {
    crc ^= byte;
    for (let bit = 0; bit < 8; bit++) crc = (crc >>> 1) ^ (0xedb88320 & -(crc & 1));
  }
  return (crc ^ -1) >>> 0;
}
