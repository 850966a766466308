// Decoders written by hand for these three messages, as fast as we know how: static functions over one frame, one check a block,
// a DataView that is kept while the buffer is the same. They charge no budget and count no depth; blocks of other sizes and other versions are thrown at.
export const f = { b: new Uint8Array(0), v: new DataView(new ArrayBuffer(0)), end: 0, at: 0 };
const char = String.fromCharCode;
const decoder = new TextDecoder();

export function open(bytes) {
  if (f.v.buffer !== bytes.buffer) {
    f.v = new DataView(bytes.buffer);
    f.b = new Uint8Array(bytes.buffer);
  }
  f.end = bytes.byteOffset + bytes.length;
  return bytes.byteOffset;
}

export const bad = () => {
  throw new Error("damaged");
};

function text(at, size) {
  const b = f.b;
  let seen = 0;
  for (let i = at; i < at + size; i++) seen |= b[i];
  if (size > 12 || seen > 127) return decoder.decode(b.subarray(at, at + size));
  switch (size) {
    case 0: return "";
    case 1: return char(b[at]);
    case 2: return char(b[at], b[at + 1]);
    case 3: return char(b[at], b[at + 1], b[at + 2]);
    case 4: return char(b[at], b[at + 1], b[at + 2], b[at + 3]);
    case 5: return char(b[at], b[at + 1], b[at + 2], b[at + 3], b[at + 4]);
    case 6: return char(b[at], b[at + 1], b[at + 2], b[at + 3], b[at + 4], b[at + 5]);
    default: {
      let s = "";
      for (let i = at; i < at + size; i++) s += char(b[i]);
      return s;
    }
  }
}

const latin1 = (at, size) =>
  size === 3 ? char(f.b[at], f.b[at + 1], f.b[at + 2]) : size === 2 ? char(f.b[at], f.b[at + 1]) : size === 1 ? char(f.b[at]) : "";

const side = (n) => (n === 0 ? "buy" : n === 1 ? "sell" : n);
const type = (n) => (n === 0 ? "market" : n === 1 ? "limit" : n === 2 ? "stop" : n);

function linked(base, place) {
  const offset = f.v.getUint32(place, true);
  if (offset === 0) return "";
  const at = base + offset;
  if (f.end - at < 4) bad();
  const size = f.v.getUint32(at, true);
  if (size > f.end - at - 4) bad();
  return text(at + 4, size);
}

export function block(at, size) {
  if (f.end - at < size || f.v.getUint32(at, true) !== size) bad();
}

function balance(at) {
  block(at, 20);
  return { currency: linked(at, at + 8), amount: f.v.getFloat64(at + 12, true) };
}

function order(at) {
  block(at, 34);
  const v = f.v;
  return {
    id: v.getInt32(at + 8, true),
    symbol: linked(at, at + 12),
    side: side(f.b[at + 16]),
    type: type(f.b[at + 17]),
    price: v.getFloat64(at + 18, true),
    volume: v.getFloat64(at + 26, true),
  };
}

/** FBE, standard. */
export function account(bytes) {
  const start = open(bytes);
  const v = f.v;
  const at = start + v.getUint32(start + 4, true);
  block(at, 30);
  let asset = null;
  if (f.b[at + 21] !== 0) {
    const cell = at + v.getUint32(at + 22, true);
    if (f.end - cell < 4) bad();
    asset = balance(cell + v.getUint32(cell, true));
  }
  const list = at + v.getUint32(at + 26, true);
  const count = v.getUint32(list, true);
  if (count * 4 > f.end - list - 4) bad();
  const orders = [];
  for (let i = 0; i < count; i++) orders.push(order(at + v.getUint32(list + 4 + 4 * i, true)));
  return {
    id: v.getInt32(at + 8, true),
    name: linked(at, at + 12),
    state: f.b[at + 16],
    wallet: balance(at + v.getUint32(at + 17, true)),
    asset,
    orders,
  };
}

function counted() {
  const at = f.at;
  if (f.end - at < 4) bad();
  const size = f.v.getUint32(at, true);
  if (size > f.end - at - 4) bad();
  f.at = at + 4 + size;
  return text(at + 4, size);
}

function finalBalance() {
  const currency = counted();
  const at = f.at;
  if (f.end - at < 8) bad();
  f.at = at + 8;
  return { currency, amount: f.v.getFloat64(at, true) };
}

function finalOrder() {
  if (f.end - f.at < 4) bad();
  const id = f.v.getInt32(f.at, true);
  f.at += 4;
  const symbol = counted();
  const at = f.at;
  if (f.end - at < 18) bad();
  f.at = at + 18;
  const v = f.v;
  return { id, symbol, side: side(f.b[at]), type: type(f.b[at + 1]), price: v.getFloat64(at + 2, true), volume: v.getFloat64(at + 10, true) };
}

/** FBE Final. */
export function finalAccount(bytes) {
  const start = open(bytes);
  if (f.end - start < 12 || f.v.getUint32(start + 4, true) !== 3) bad();
  const id = f.v.getInt32(start + 8, true);
  f.at = start + 12;
  const name = counted();
  if (f.end - f.at < 1) bad();
  const state = f.b[f.at++];
  const wallet = finalBalance();
  if (f.end - f.at < 1) bad();
  const asset = f.b[f.at++] === 0 ? null : finalBalance();
  if (f.end - f.at < 4) bad();
  const count = f.v.getUint32(f.at, true);
  f.at += 4;
  const orders = [];
  for (let i = 0; i < count; i++) orders.push(finalOrder());
  if (f.at - start !== f.v.getUint32(start, true)) bad();
  return { id, name, state, wallet, asset, orders };
}

/** SBE. */
export function trade(bytes) {
  const start = open(bytes);
  const v = f.v;
  const at = start + 8;
  if (f.end - at < 53 || v.getUint16(start, true) < 53 || v.getUint16(start + 2, true) !== 1 || v.getUint16(start + 6, true) < 2) bad();
  let stop = at + 50;
  while (stop < at + 53 && f.b[stop] !== 0) stop++;
  const taker = f.b[at + 32];
  return {
    sequence: v.getBigUint64(at, true),
    time: v.getBigUint64(at + 8, true),
    instrument: v.getUint32(at + 16, true),
    price: { mantissa: v.getBigInt64(at + 20, true), exponent: -8 },
    size: v.getUint32(at + 28, true),
    aggressor: taker === 66 ? "buy" : taker === 83 ? "sell" : taker,
    conditions: f.b[at + 33],
    buyOrder: v.getBigUint64(at + 34, true),
    sellOrder: v.getBigUint64(at + 42, true),
    venue: latin1(at + 50, stop - at - 50),
  };
}
