// One contestant on one message one way, wherever it runs: nanoseconds of 25 rounds, ascending.
import * as decodeFloor from "../peers/js/floor.js";
import * as encodeFloor from "../peers/js/encode_floor.js";
import * as model from "../peers/js/model.js";
import * as verifyFloor from "../peers/js/verify_floor.js";
import * as book from "../peers/js/book.js";
import { capnpEs } from "./capnp_es.js";
import { protobufEs, protobufjs } from "./protobufs.js";

/** The messages: for each its module, the names of its functions, its codec by hand, and a field for views. */
const MESSAGES = {
  account: ["proto", "Account", byHand("account"), "id"],
  final: ["proto", "AccountFinal", byHand("finalAccount"), "id"],
  trade: ["market", "Trade", byHand("trade"), "price"],
  book: ["addressbook", "AddressBook", book, "people"],
};

function byHand(name) {
  return { decode: decodeFloor[name], encode: encodeFloor[name], verify: verifyFloor[name] };
}

const ROUNDS = 25;
const ROUND_MS = 8;
/** Runs of so many each come before, while engines compile. */
const WARM = 40;
const BATCH = { account: 500, final: 500, trade: 500, book: 25 };
/** The smallest time that clocks of browsers tell apart. */
const COARSE_MS = 0.1;

/** JSON of a value without bigints, which JSON.stringify refuses: with them it would be slower still. */
const plain = (value) => JSON.stringify(value, (_, value) => (typeof value === "bigint" ? Number(value) : value));

function check(same) {
  if (!same) throw new Error("a contestant gives something else");
}

const alike = (a, b) => a.length === b.length && a.every((byte, i) => byte === b[i]);

/** The functions of a contestant that read and write the message. */
async function functions(contestant, { decode, encode, verify, view }, [floor, field], bytes, codecs) {
  const value = decode(bytes);
  const text = plain(value);
  switch (contestant) {
    case "generated": return { decode: () => decode(bytes), encode: () => encode(value), verify: () => verify(bytes) };
    case "view": return { verify: () => view(bytes)[field] };
    case "floor": return { decode: () => floor.decode(bytes), encode: () => floor.encode(value), verify: () => floor.verify(bytes) };
    case "model": return { decode: () => model.decodeAccount(bytes), encode: () => model.encodeAccount(value) };
    case "protobufjs": return protobufjs(value);
    case "protobuf-es": return protobufEs(value);
    case "capnp-es": return capnpEs(value, await codecs.capnpEs());
    default: {
      const numbers = JSON.parse(text);
      return { decode: () => JSON.parse(text), encode: () => JSON.stringify(numbers) };
    }
  }
}

/** `codecs` has the generated modules by name; `bytes` are the message. */
export async function measure(codecs, contestant, message, way, bytes) {
  const [module, name, ...others] = MESSAGES[message];
  const own = Object.fromEntries(["decode", "encode", "verify", "view"].map((verb) => [verb, codecs[module][`${verb}${name}`]]));
  const ways = await functions(contestant, own, others, bytes, codecs);
  if (["generated", "floor", "model"].includes(contestant)) check(alike(ways.encode(), bytes));
  if (["generated", "floor", "model", "capnp-es"].includes(contestant)) check(plain(ways.decode()) === plain(own.decode(bytes)));
  if (ways.verify !== undefined && contestant !== "view") check(ways.verify() === bytes.length);
  const task = ways[way];
  let kept;
  const run = (times) => {
    const start = performance.now();
    for (let i = 0; i < times; i++) kept = task();
    return performance.now() - start;
  };
  // As many that a round is long for a coarse clock, going by the fastest of some: others on the machine only make it slower.
  const batch = BATCH[message];
  const fastest = Math.min(...Array.from({ length: WARM }, () => run(batch)));
  const times = Math.ceil((batch * ROUND_MS) / Math.max(fastest, COARSE_MS));
  const rounds = Array.from({ length: ROUNDS }, () => (run(times) * 1e6) / times).sort((a, b) => a - b);
  check(kept !== undefined);
  return rounds;
}
