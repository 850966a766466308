import { decode as decodeTerm } from "./decode.js";
import { encode as encodeTerm } from "./encode.js";
import { fail } from "./error.js";
import { decodeFrame, encodePush } from "./frames.js";
import { wordOption } from "./options.js";

/**
 * The options `{ vsn, encode, decode }` for `new Socket(url, ..)` or `new LiveSocket(url, Socket, ..)`; see
 * phoenix.d.ts. phoenix.js calls both functions as methods of the socket.
 */
export function etf(options = {}) {
  const { up: _, vsn = "3.0.0", ...codec } = options;
  const upAsTerms = wordOption(options, "up", ["json", "etf"]);
  // Wrong options throw here, and not with each message.
  decodeTerm(encodeTerm([], codec), codec);
  return {
    vsn,
    encode(message, callback) {
      // Long polling posts text, and bytes in base64: what the socket's own encoder makes.
      if (this.transport === this.getLongPollTransport?.()) return this.defaultEncoder(message, callback);
      if (message.payload?.constructor === ArrayBuffer) return callback(encodePush(message));
      return upAsTerms ? callback(encodeMessage(message, codec)) : this.defaultEncoder(message, callback);
    },
    decode(raw, callback) {
      if (typeof raw === "string") return this.defaultDecoder(raw, callback);
      return callback(decodeMessage(raw, codec));
    },
  };
}

/** With the default options: JSON to the server, terms from it. */
export const { vsn, encode, decode } = etf();

function encodeMessage({ join_ref, ref, topic, event, payload }, codec) {
  return encodeTerm([join_ref, ref, topic, event, payload], codec);
}

function decodeMessage(raw, codec) {
  const bytes = new Uint8Array(raw);
  if (bytes[0] !== 131) return decodeFrame(bytes);
  const list = decodeTerm(bytes, codec);
  if (!Array.isArray(list) || list.length < 5) fail("bad_frame", 0, ": a message is a list of five");
  const [join_ref, ref, topic, event, payload] = list;
  return { join_ref, ref, topic, event, payload };
}
