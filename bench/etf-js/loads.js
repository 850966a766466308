// The values that are measured: what a Phoenix server sends to a page, and what a page sends back.
// Everything comes from one seeded generator, so each run measures the same bytes.

function generator(seed) {
  let state = seed;
  const below = (n) => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return Math.floor((state / 0x100000000) * n);
  };
  const pick = (list) => list[below(list.length)];
  return { below, pick };
}

const NAMES = ["Ada Byron", "Grace Hopper", "Edsger", "Barbara L.", "Joe", "Robert V.", "Mike W.", "Radia P."];
const WORDS = "the page server sends a small diff when some value behind it has changed and nothing else".split(" ");
const SYMBOLS = ["AAPL", "MSFT", "NVDA", "AMZN", "GOOG", "TSLA", "ASML", "SAP"];

function sentence(random, least, most) {
  const words = [];
  for (let n = least + random.below(most - least); n > 0; n--) words.push(random.pick(WORDS));
  return words.join(" ");
}

const listOf = (n, make) => Array.from({ length: n }, (_, i) => make(i));

/** A LiveView diff: a counter and a clock in a component, as `push_diff` sends it. */
function smallDiff(random) {
  return [null, null, "lv:phx-F9a1xKc3b2", "diff", {
    0: { 1: String(random.below(100000)), 3: `${random.below(24)}:${random.below(60)}` },
    c: { 4: { 0: String(random.below(100)), 2: "active" } },
  }];
}

/** A frame of examples/liveview_rainbow: of sixty bars the one attribute that a template makes of colour and height. */
function rainbow(random) {
  const frame = random.below(10000);
  const bar = (i) => {
    const height = 50 + 45 * Math.sin((i + 1 + frame) / 6);
    return { 0: ` style="background: hsl(${(i * 6 + 6 + frame * 3) % 360} 80% 60%); height: ${Number(height.toFixed(2))}%"` };
  };
  return [null, null, "lv:phx-F9a1xKc3b2", "diff", { 0: String(frame), 3: { k: { ...listOf(60, bar), kc: 60 } } }];
}

/** A rendered comprehension of table rows, as LiveView sends one that changed. */
function tableDiff(random) {
  const row = (i) => ({
    0: String(i + 1), 1: random.pick(SYMBOLS), 2: (random.below(100000) / 100).toFixed(2),
    3: String(random.below(10000)), 4: random.pick(["up", "down", "same"]), 5: `row-${i}`,
  });
  return [null, null, "lv:phx-F9a1xKc3b2", "diff", { 0: { 2: { s: 0, k: { ...listOf(100, row), kc: 100 } } } }];
}

/** Rows of a channel's own table: objects of one shape. */
function tableRows(random) {
  const row = (i) => ({
    id: i + 1000, symbol: random.pick(SYMBOLS), bid: random.below(100000) / 100, ask: random.below(100000) / 100,
    size: random.below(5000), side: random.pick(["buy", "sell"]), open: random.below(2) === 1, note: null,
  });
  return ["4", "17", "quotes:all", "phx_reply", { status: "ok", response: { rows: listOf(100, row) } }];
}

function chats(random) {
  const chat = (i) => ({
    id: `01HZX${100000 + i}`, user: { id: random.below(500), name: random.pick(NAMES) },
    body: sentence(random, 4, 24), inserted_at: `2026-03-0${1 + random.below(9)}T10:${10 + random.below(50)}:00Z`,
    read: random.below(2) === 1, reactions: random.below(4) === 0 ? ["+1", "heart"] : [],
  });
  return ["4", "18", "room:lobby", "phx_reply", { status: "ok", response: { messages: listOf(50, chat) } }];
}

const numbers = (random) => [null, null, "chart:cpu", "points", {
  t: listOf(500, (i) => 1772000000 + i * 5), v: listOf(500, () => random.below(1e9) / 1e7 + 0.1),
  n: listOf(500, () => random.below(200)),
}];

const longText = (random) => [null, null, "doc:7", "body", {
  html: listOf(300, () => `<p class="line">${sentence(random, 20, 40)}</p>`).join("\n"), title: "Minutes",
}];

const accented = (random) => [null, null, "doc:8", "body", {
  lines: listOf(60, () => sentence(random, 6, 16).replaceAll("e", "\u00e9")), title: "Proc\u00e8s-verbal",
}];

const clientClick = (random) => ["4", String(random.below(900)), "lv:phx-F9a1xKc3b2", "event", {
  type: "click", event: "select-row", value: { id: String(random.below(9999)), value: "" },
}];

const clientForm = (random) => ["4", String(random.below(900)), "lv:phx-F9a1xKc3b2", "event", {
  type: "form", event: "validate", value: "user%5Bname%5D=Ada+Byron&user%5Bemail%5D=ada%40example.org&_target=user%5Bname%5D",
  uploads: {}, cid: null, meta: undefined,
}];

/** Server to client. `limit`: at most this many times the time of JSON.parse on a string. */
export const down = [
  { name: "small diff", make: smallDiff, limit: 1.8 },
  { name: "rainbow", make: rainbow, limit: 1.8 },
  { name: "table, diff of 100 rows", make: tableDiff, limit: 1.3 },
  { name: "table, 100 objects", make: tableRows, limit: 1.3 },
  { name: "50 chats", make: chats, limit: 1.3 },
  { name: "1,500 numbers", make: numbers, limit: 0.8 },
  { name: "long text, ASCII", make: longText, limit: 0.8 },
  { name: "60 lines, accented", make: accented, limit: null },
];

/** Client to server. `limit`: at most this many times JSON's encoding time. */
export const up = [
  { name: "click event", make: clientClick, limit: 1.5 },
  { name: "form event", make: clientForm, limit: 1.5 },
];

/** Eight different values of a load, so that no engine learns a single one. */
export function values(load) {
  const random = generator(20260301);
  return listOf(8, () => load.make(random));
}
