// Reads messages of the market that come one after another, each behind its length (u32, little-endian), and sums what traded.
//   node feed.js < feed
import { CodecError } from "@aldis/codec";
import { decode } from "./generated/market.js";

const seen = new Map();
let traded = 0n;

function take(message) {
  const any = decode(message);
  seen.set(any.message, (seen.get(any.message) ?? 0) + 1);
  if (any.message === "market.Trade") traded += BigInt(any.value.size);
}

let rest = Buffer.alloc(0);
try {
  for await (const chunk of process.stdin) {
    rest = rest.length === 0 ? chunk : Buffer.concat([rest, chunk]);
    let at = 0;
    while (rest.length - at >= 4 && rest.length - at - 4 >= rest.readUInt32LE(at)) {
      const size = rest.readUInt32LE(at);
      take(rest.subarray(at + 4, at + 4 + size));
      at += 4 + size;
    }
    rest = rest.subarray(at);
  }
} catch (error) {
  if (!(error instanceof CodecError)) throw error;
  console.error(`a damaged message: ${error.message}`);
  process.exit(1);
}
const kinds = [...seen].sort().map(([name, count]) => `${name} ${count}`);
console.log(`${kinds.join(", ")}; traded ${traded}`);
