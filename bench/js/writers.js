// The time that drafts save: a trade of new fields each time, into memory of the caller's; best nanoseconds of each way.
//   node writers.js FOLDER, where FOLDER has market.js and market_draft.js
const { draftTrade } = await import(`${process.argv[2]}/market_draft.js`);
const { encodeTradeInto, decodeTrade } = await import(`${process.argv[2]}/market.js`);

const target = new Uint8Array(256);
const view = new DataView(target.buffer);
const fields = (i) => ({ sequence: BigInt(i), time: 5n, instrument: i, price: { mantissa: 17n, exponent: -8 }, size: 3, aggressor: "buy", conditions: 2, buyOrder: 8n, sellOrder: 9n, venue: "XYZ" });
const kept = fields(1);
encodeTradeInto(kept, target);
const whole = (field, top) => {
  if (field !== BigInt.asUintN(64, field) || top < 0) throw new RangeError("out of range");
};

/** The stores of a writer by hand, each with its check, over what the message has that does not change. */
function stores(i) {
  const sequence = BigInt(i);
  whole(sequence, i);
  view.setBigUint64(8, sequence, true);
  view.setBigUint64(16, 5n, true);
  if (i >>> 0 !== i) throw new RangeError("out of range");
  view.setUint32(24, i, true);
  view.setBigInt64(28, 17n, true);
  view.setUint32(36, 3, true);
  view.setUint8(40, 66);
  view.setUint8(41, 2);
  view.setBigUint64(42, 8n, true);
  view.setBigUint64(50, 9n, true);
  target[58] = 88;
  target[59] = 89;
  target[60] = 90;
}

const draft = draftTrade({ aggressor: "buy", price: { mantissa: 0n, exponent: -8 } });
const written = draftTrade();
written.$into(target);

/** All that changes from one trade to the next, set in a draft. */
function drafted(i) {
  draft.$into(target);
  draft.sequence = BigInt(i);
  draft.time = 5n;
  draft.instrument = i;
  draft.price.mantissa = 17n;
  draft.size = 3;
  draft.aggressor = "buy";
  draft.conditions = 2;
  draft.buyOrder = 8n;
  draft.sellOrder = 9n;
  draft.venue = "XYZ";
}

const ways = {
  "a new object, encoded": (i) => encodeTradeInto(fields(i), target),
  "a kept object with two fields set, encoded": (i) => {
    kept.sequence = BigInt(i);
    kept.instrument = i;
    encodeTradeInto(kept, target);
  },
  "a draft, all of whose fields are set": drafted,
  "two fields of a draft that is there": (i) => {
    written.sequence = BigInt(i);
    written.instrument = i;
  },
  "a draft begun anew with two fields set": (i) => {
    draft.$into(target);
    draft.sequence = BigInt(i);
    draft.instrument = i;
  },
  "stores by hand, without an object": stores,
  "two stores into a written message, by hand": (i) => {
    view.setBigUint64(8, BigInt(i), true);
    view.setUint32(24, i, true);
  },
};
for (const [name, run] of Object.entries(ways)) {
  let best = Infinity;
  for (let round = 0; round < 60; round++) {
    const start = performance.now();
    for (let i = 0; i < 20_000; i++) run(i);
    best = Math.min(best, (performance.now() - start) * 50);
  }
  run(4711);
  const { sequence, instrument } = decodeTrade(target);
  if (sequence !== 4711n || instrument !== 4711) throw new Error(`${name} writes something else`);
  console.log(`${best.toFixed(0).padStart(5)}  ${name}`);
}
