// One contestant on one message one way, wherever it runs: nanoseconds of 25 rounds, ascending.
import * as decodeFloor from "../peers/js/floor.js";
import * as encodeFloor from "../peers/js/encode_floor.js";
import * as model from "../peers/js/model.js";
import { protobufEs, protobufjs } from "./protobufs.js";

const MESSAGES = {
  account: ["proto", "Account", "account"],
  final: ["proto", "AccountFinal", "finalAccount"],
  trade: ["market", "Trade", "trade"],
};

const ROUNDS = 25;
const ROUND_MS = 8;
/** Runs of so many each come before, while engines compile. */
const WARM = 40;
const BATCH = 500;
/** What clocks of browsers tell apart. */
const COARSE_MS = 0.1;

/** JSON of a value without bigints, which JSON.stringify refuses: with them it would be slower still. */
const plain = (value) => JSON.stringify(value, (_, value) => (typeof value === "bigint" ? Number(value) : value));

function check(same) {
  if (!same) throw new Error("a contestant gives something else");
}

const alike = (a, b) => a.length === b.length && a.every((byte, i) => byte === b[i]);

/** The functions of a contestant that read and write the message. */
async function functions(contestant, [decode, encode], byHand, bytes) {
  const value = decode(bytes);
  const text = plain(value);
  switch (contestant) {
    case "generated": return { decode: () => decode(bytes), encode: () => encode(value) };
    case "floor": return { decode: () => decodeFloor[byHand](bytes), encode: () => encodeFloor[byHand](value) };
    case "model": return { decode: () => model.decodeAccount(bytes), encode: () => model.encodeAccount(value) };
    case "protobufjs": return protobufjs(value);
    case "protobuf-es": return protobufEs(value);
    default: {
      const numbers = JSON.parse(text);
      return { decode: () => JSON.parse(text), encode: () => JSON.stringify(numbers) };
    }
  }
}

/** `codecs` has the generated modules by name; `bytes` are the message. */
export async function measure(codecs, contestant, message, way, bytes) {
  const [module, generated, byHand] = MESSAGES[message];
  const own = ["decode", "encode"].map((verb) => codecs[module][`${verb}${generated}`]);
  const ways = await functions(contestant, own, byHand, bytes);
  if (["generated", "floor", "model"].includes(contestant)) {
    check(alike(ways.encode(), bytes) && plain(ways.decode()) === plain(own[0](bytes)));
  }
  const task = ways[way];
  let kept;
  const run = (times) => {
    const start = performance.now();
    for (let i = 0; i < times; i++) kept = task();
    return performance.now() - start;
  };
  // As many that a round is long for a coarse clock, going by the fastest of some: others on the machine only make it slower.
  const fastest = Math.min(...Array.from({ length: WARM }, () => run(BATCH)));
  const times = Math.ceil((BATCH * ROUND_MS) / Math.max(fastest, COARSE_MS));
  const rounds = Array.from({ length: ROUNDS }, () => (run(times) * 1e6) / times).sort((a, b) => a - b);
  check(kept !== undefined);
  return rounds;
}
