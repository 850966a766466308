import { isBytes } from "./bytes.js";
import { decode as decodeTerm } from "./decode.js";
import { encode as encodeTerm } from "./encode.js";
import { fail } from "./error.js";
import { decodeFrame, encodePush } from "./frames.js";
import { wordOption } from "./options.js";
import { hasBlobs, hasBytes, holding, withoutBlobs } from "./payload.js";

const JSON_ONLY = 0;
const TERMS = 2;

/**
 * The options `{ vsn, encode, decode }` for `new Socket(url, ..)` or `new LiveSocket(url, Socket, ..)`; see
 * phoenix.d.ts. phoenix.js calls both functions as methods of the socket.
 */
export function etf(options = {}) {
  const { up: _, vsn = "3.0.0", ...codec } = options;
  const up = wordOption(options, "up", ["json", "auto", "etf"]);
  // Wrong options throw here, and not with each message.
  decodeTerm(encodeTerm([], codec), codec);
  const settings = { up, codec };
  return {
    vsn,
    encode(message, callback) {
      const turn = turns.get(this);
      const held = holding(message.payload ?? {});
      if (!turn && !hasBlobs(held)) return send(this, message, held, settings, callback);
      takeTurn(this, turn, message, held, settings, callback);
    },
    decode(raw, callback) {
      if (typeof raw !== "string") return callback(decodeMessage(new Uint8Array(raw), codec));
      // Long polling carries text: frames in base64, or JSON, which begins otherwise.
      if (raw[0] === "[") return this.defaultDecoder(raw, callback);
      return callback(decodeMessage(fromBase64(raw), codec));
    },
  };
}

/** With the default options: JSON to the server, terms from it. */
export const { vsn, encode, decode } = etf();

/**
 * A transport for `new Socket(url, { ...etf(), transport: longPoll(LongPoll) })`: phoenix.js leaves its own LongPoll to
 * JSON, but not one that inherits from it.
 */
export function longPoll(LongPoll) {
  return class extends LongPoll {};
}

// For sockets that wait for Blobs: a promise of the time when all messages before the next one are sent.
const turns = new WeakMap();

/** Sends a message when its Blobs are read and all messages before it are sent. */
function takeTurn(socket, before, message, held, settings, callback) {
  const payload = hasBlobs(held) ? withoutBlobs(message.payload) : message.payload;
  const turn = Promise.allSettled([payload, before]).then(([read]) => {
    if (turns.get(socket) === turn) turns.delete(socket);
    if (read.status === "rejected") throw read.reason;
    send(socket, { ...message, payload: read.value }, held, settings, callback);
  }).catch(report);
  turns.set(socket, turn);
}

/** An error of a message that waited is an uncaught one, as that of a message that did not. */
function report(error) {
  setTimeout(() => { throw error; });
}

function send(socket, message, held, { up, codec }, callback) {
  if (isBytes(message.payload)) return callback(encodePush(message));
  if (hasBytes(held)) {
    if (up === JSON_ONLY) throw new TypeError('bytes inside a payload; they need etf({ up: "auto" }) or "etf"');
    return callback(encodeMessage(message, codec));
  }
  // Long polling posts text, where JSON is shorter than terms in base64.
  const asTerm = up === TERMS && socket.transport !== socket.getLongPollTransport?.();
  return asTerm ? callback(encodeMessage(message, codec)) : socket.defaultEncoder(message, callback);
}

function encodeMessage({ join_ref, ref, topic, event, payload }, codec) {
  return encodeTerm([join_ref, ref, topic, event, payload], codec);
}

function decodeMessage(bytes, codec) {
  if (bytes[0] !== 131) return decodeFrame(bytes);
  const list = decodeTerm(bytes, codec);
  if (!Array.isArray(list) || list.length < 5) fail("bad_frame", 0, ": a message is a list of five");
  const [join_ref, ref, topic, event, payload] = list;
  return { join_ref, ref, topic, event, payload };
}

function fromBase64(text) {
  let binary;
  try {
    binary = atob(text);
  } catch {
    fail("bad_frame", 0, ": text that is neither JSON nor base64");
  }
  return Uint8Array.from(binary, (char) => char.charCodeAt(0));
}
