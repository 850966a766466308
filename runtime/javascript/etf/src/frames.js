// The binary frames of Phoenix's V2 serializer, which carry payloads that are bytes: uploads and {:binary, _}.
// Every length is one byte.
import { bytesOf } from "./bytes.js";
import { fail } from "./error.js";

const PUSH = 0;
const REPLY = 1;
const BROADCAST = 2;

const toUtf8 = new TextEncoder();
const fromUtf8 = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });

/** A client's push: kind, four lengths, four strings, the payload. Returns an ArrayBuffer. */
export function encodePush({ join_ref, ref, topic, event, payload }) {
  const fields = Object.entries({ join_ref, ref, topic, event }).map(field);
  const lengths = fields.map((bytes) => bytes.length);
  const start = lengths.reduce((sum, length) => sum + length, 1 + lengths.length);
  const frame = new Uint8Array(start + payload.byteLength);
  frame.set([PUSH, ...lengths]);
  let at = 1 + lengths.length;
  for (const bytes of fields) {
    frame.set(bytes, at);
    at += bytes.length;
  }
  frame.set(bytesOf(payload), start);
  return frame.buffer;
}

function field([name, value]) {
  const bytes = toUtf8.encode(value ?? "");
  if (bytes.length > 255) throw new TypeError(`${name} takes ${bytes.length} bytes; a binary push has room for 255`);
  return bytes;
}

/** A server's push, reply or broadcast, as the message that phoenix.js expects. */
export function decodeFrame(bytes) {
  switch (bytes[0]) {
    case PUSH: {
      const [join_ref, topic, event, payload] = split(bytes, 3);
      return { join_ref, ref: null, topic, event, payload };
    }
    case REPLY: {
      const [join_ref, ref, topic, status, response] = split(bytes, 4);
      return { join_ref, ref, topic, event: "phx_reply", payload: { status, response } };
    }
    case BROADCAST: {
      const [topic, event, payload] = split(bytes, 2);
      return { join_ref: null, ref: null, topic, event, payload };
    }
    default:
      return fail("bad_frame", 0, `: kind ${bytes[0]}; 0, 1, 2 are V2 frames and 131 is a term`);
  }
}

/** The strings whose lengths follow the kind, and the bytes after them as an ArrayBuffer. */
function split(bytes, count) {
  let at = 1 + count;
  const parts = [];
  for (let i = 1; i <= count; i++) {
    const stop = at + bytes[i];
    // A length that is missing makes stop NaN.
    if (!(stop <= bytes.length)) fail("truncated", Math.min(at, bytes.length));
    parts.push(string(bytes, at, stop));
    at = stop;
  }
  parts.push(bytes.slice(at).buffer);
  return parts;
}

function string(bytes, at, stop) {
  try {
    return fromUtf8.decode(bytes.subarray(at, stop));
  } catch {
    return fail("bad_utf8", at);
  }
}
