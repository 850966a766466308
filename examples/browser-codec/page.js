// Reads messages of the market as they come, each behind its length (u32, little-endian), and shows what there was.
import { StreamError } from "@aldis/codec/stream";
import { receiver } from "./generated/market_stream.js";

const LATEST = 5;
/** Messages between two pictures: a page that only reads shows nothing. */
const PART = 100;

const counts = new Map();
const trades = [];

function take({ message, value }) {
  counts.set(message, (counts.get(message) ?? 0) + 1);
  if (message !== "market.Trade") return;
  trades.unshift([value.sequence, value.aggressor, value.size, `${value.price.mantissa}e${value.price.exponent}`]);
  trades.length = Math.min(trades.length, LATEST);
}

/** A table's rows, as text: what messages say is no markup. */
function show(id, rows) {
  const made = rows.map((cells) => {
    const row = document.createElement("tr");
    row.append(...cells.map((cell) => Object.assign(document.createElement("td"), { textContent: String(cell) })));
    return row;
  });
  document.getElementById(id).replaceChildren(...made);
}

function showAll() {
  show("counts", [...counts].sort());
  show("trades", trades);
}

async function read(url) {
  const { ok, statusText, body } = await fetch(url);
  if (!ok) throw new Error(statusText);
  let seen = 0;
  for await (const any of receiver("u32le", { maxFrame: 1 << 20 }).read(body)) {
    take(any);
    if (++seen % PART === 0) {
      showAll();
      await new Promise(requestAnimationFrame);
    }
  }
}

const state = document.getElementById("state");
try {
  await read(new URLSearchParams(location.search).get("feed") ?? "generated/feed");
  state.textContent = "the feed is over";
} catch (error) {
  state.textContent = error instanceof StreamError ? `a damaged feed: ${error.message}` : String(error);
}
showAll();
