// Reads messages of the market that come one after another, each behind its length (u32, little-endian), sums what traded, and
// writes a quote for each trade, at its price, framed alike.
//   node feed.js < feed > quotes
import { StreamError } from "@aldis/codec/stream";
import { newQuote } from "./generated/market.js";
import { receiver, sender } from "./generated/market_stream.js";

const seen = new Map();
const quotes = sender("u32le");
let traded = 0n;

function quote({ sequence, time, instrument, price, size }) {
  quotes.send("market.Quote", newQuote({ sequence, time, instrument, bid: price, bidSize: size, ask: price, askSize: size }));
}

try {
  for await (const { message, value } of receiver("u32le").read(process.stdin)) {
    seen.set(message, (seen.get(message) ?? 0) + 1);
    if (message !== "market.Trade") continue;
    traded += BigInt(value.size);
    quote(value);
    process.stdout.write(quotes.take());
  }
} catch (error) {
  if (!(error instanceof StreamError)) throw error;
  console.error(`a damaged stream: ${error.message}`);
  process.exit(1);
}
const kinds = [...seen].sort().map(([name, count]) => `${name} ${count}`);
console.error(`${kinds.join(", ")}; traded ${traded}`);
