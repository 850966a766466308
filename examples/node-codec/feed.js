// Reads messages of the market that come one after another, each behind its length (u32, little-endian), sums what traded, and
// writes a quote for each trade, at its price, framed alike.
//   node feed.js < feed > quotes
import { CodecError } from "@aldis/codec";
import { decode, encodeQuoteInto, newQuote } from "./generated/market.js";

const seen = new Map();
let traded = 0n;

/** A quote of a trade's price behind its length. */
function quoteOf({ sequence, time, instrument, price, size }) {
  const quote = newQuote({ sequence, time, instrument, bid: price, bidSize: size, ask: price, askSize: size });
  const frame = Buffer.alloc(64);
  const end = encodeQuoteInto(quote, frame, 4);
  frame.writeUInt32LE(end - 4);
  return frame.subarray(0, end);
}

function take(message) {
  const any = decode(message);
  seen.set(any.message, (seen.get(any.message) ?? 0) + 1);
  if (any.message !== "market.Trade") return;
  traded += BigInt(any.value.size);
  process.stdout.write(quoteOf(any.value));
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
console.error(`${kinds.join(", ")}; traded ${traded}`);
