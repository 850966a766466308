// The answers of codecs to messages, as text: the same wherever they run.
import { CodecError } from "@aldis/codec";
import * as market from "../generated/market.js";
import * as marketJson from "../generated/market_json.js";
import * as proto from "../generated/proto.js";
import * as protoJson from "../generated/proto_json.js";

const CODECS = {
  market: [market.decode, market.encode, marketJson],
  proto: [proto.decode, proto.encode, protoJson],
  final: [proto.decodeFinal, proto.encodeFinal, protoJson],
};

/** A sum of all that was said (FNV-1a), since it is too much to compare as text. */
function sum(text, before) {
  let hash = before;
  for (let i = 0; i < text.length; i++) hash = Math.imul(hash ^ text.charCodeAt(i), 16777619);
  return hash >>> 0;
}

/** Decodes, encodes and says the JSON of a message. Anything but a CodecError escapes. */
function said([decode, encode, json], bytes) {
  try {
    const any = decode(bytes);
    const [name] = any.message.split(".").slice(-1);
    const toJson = json[`${name[0].toLowerCase()}${name.slice(1)}ToJson`];
    return `${any.message} ${Array.from(encode(any), (byte) => byte.toString(16)).join(" ")} ${toJson(any.value)}`;
  } catch (error) {
    if (!(error instanceof CodecError)) throw error;
    return error.message;
  }
}

/** Numbers that are the same everywhere. */
function* numbers(seed) {
  for (let state = seed; ; yield state >>> 8) state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
}

/** Verdicts: the one on each message, given as its codec's name and its bytes, and the sum of those on so many damaged ones. */
export function run(messages, damaged) {
  const chance = numbers(7);
  const next = (below) => chance.next().value % below;
  return messages.map(([name, given]) => {
    const bytes = Uint8Array.from(given);
    let hash = 2166136261;
    for (let i = 0; i < damaged; i++) {
      const copy = bytes.slice(0, next(4) === 0 ? next(bytes.length + 1) : bytes.length);
      for (let changes = next(4); changes >= 0 && copy.length > 0; changes--) copy[next(copy.length)] = next(256);
      hash = sum(said(CODECS[name], copy), hash);
    }
    return [said(CODECS[name], bytes), hash];
  });
}

// A bundle's module gives nothing to who loads it.
if (typeof window === "object") window.suite = run;
