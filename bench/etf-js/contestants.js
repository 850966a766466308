// The contestants, and the input of each. The first of each list is the measure of all: JSON as a page has it now, which is
// text when phoenix.js gets it, since the browser has decoded the frame before.
// Works in Node and, without the peers that need Node, in a browser.
import * as msgpack from "@msgpack/msgpack";
import { decode, encode } from "../../runtime/javascript/etf/src/index.js";
import { down, up, values } from "./loads.js";
import { inTermOrder, serverBytes } from "./server.js";

const toUtf8 = new TextEncoder();
const fromUtf8 = new TextDecoder();

/** Decoding races: `{ load, sizes, contestants }`. `peers` may hold erlang_js and erlpack. */
export function decoding(peers = {}) {
  return down.map((load) => {
    const list = values(load).map(inTermOrder);
    const texts = list.map((value) => JSON.stringify(value));
    const json = texts.map((text) => toUtf8.encode(text));
    const etf = list.map((value) => serverBytes(value));
    const packed = list.map((value) => msgpack.encode(value));
    const contestants = [
      { name: "JSON", task: (text) => JSON.parse(text), inputs: texts },
      { name: "@aldis/etf", task: (bytes) => decode(bytes), inputs: etf },
      { name: "JSON from bytes", task: (bytes) => JSON.parse(fromUtf8.decode(bytes)), inputs: json },
      { name: "@msgpack/msgpack", task: (bytes) => msgpack.decode(bytes), inputs: packed },
    ];
    if (peers.erlpack) {
      const old = list.map((value) => Buffer.from(serverBytes(value, true)));
      contestants.push({ name: "erlpack", task: (bytes) => peers.erlpack.unpack(bytes), inputs: old });
    }
    if (peers.erlang) {
      contestants.push({ name: "erlang_js", task: erlangDecode(peers.erlang), inputs: etf.map((bytes) => Buffer.from(bytes)) });
    }
    return { load, sizes: { json: mean(json), etf: mean(etf), msgpack: mean(packed) }, contestants };
  });
}

/** Encoding races, of the same shape. */
export function encoding(peers = {}) {
  return up.map((load) => {
    const inputs = values(load);
    const contestants = [
      { name: "JSON", task: (value) => toUtf8.encode(JSON.stringify(value)), inputs },
      { name: "@aldis/etf", task: (value) => encode(value), inputs },
      { name: "@msgpack/msgpack", task: (value) => msgpack.encode(value), inputs },
    ];
    if (peers.erlpack) contestants.push({ name: "erlpack", task: (value) => peers.erlpack.pack(value), inputs });
    if (peers.erlang) contestants.push({ name: "erlang_js", task: erlangEncode(peers.erlang), inputs });
    const sizes = Object.fromEntries(contestants.slice(0, 3).map(({ task }, i) => [["json", "etf", "msgpack"][i], mean(inputs.map(task))]));
    return { load, sizes, contestants };
  });
}

function mean(list) {
  return Math.round(list.reduce((sum, bytes) => sum + bytes.length, 0) / list.length);
}

/** erlang_js makes objects of its own classes; what a page can use is made of those. */
function plain(value, erlang) {
  if (value instanceof erlang.OtpErlangBinary) return fromUtf8.decode(value.value);
  if (value instanceof erlang.OtpErlangList) return value.value.map((item) => plain(item, erlang));
  if (value instanceof erlang.OtpErlangAtom) return ATOMS.get(value.value) ?? (value.value === "nil" ? null : value.value);
  if (value instanceof erlang.OtpErlangMap) {
    const object = {};
    for (const [key, item] of value.value) object[plain(key, erlang)] = plain(item, erlang);
    return object;
  }
  return value;
}

const ATOMS = new Map([["true", true], ["false", false]]);

function erlangDecode(erlang) {
  return (bytes) => {
    let result;
    erlang.binary_to_term(bytes, (error, term) => {
      if (error) throw error;
      result = plain(term, erlang);
    });
    return result;
  };
}

function erlangEncode(erlang) {
  return (value) => {
    let result;
    erlang.term_to_binary(value, (error, bytes) => {
      if (error) throw error;
      result = bytes;
    });
    return result;
  };
}

/** Leaves out who fails on a load; returns their names. */
export function dropFailing(race) {
  const failed = [];
  race.contestants = race.contestants.filter(({ name, task, inputs }) => {
    try {
      inputs.forEach((input) => task(input));
      return true;
    } catch {
      failed.push(name);
      return false;
    }
  });
  return failed;
}

/** Throws unless our decoder's values are JSON's. */
export function check(race) {
  const [json, aldis] = race.contestants;
  json.inputs.forEach((input, i) => {
    if (JSON.stringify(json.task(input)) !== JSON.stringify(aldis.task(aldis.inputs[i]))) {
      throw new Error(`${race.load.name}: the two decoders do not agree`);
    }
  });
}
