// Encoders written by hand for the three messages of floor.js, as fast as we know how: one pass into memory that is zero, room
// asked for once a block, text before its length. They check no value: one of another type becomes some bytes.
const SLAB = 65536;
let b = new Uint8Array(SLAB);
let v = new DataView(b.buffer);
let at = 0;

function open() {
  if (SLAB - at < 4096) {
    b = new Uint8Array(SLAB);
    v = new DataView(b.buffer);
    at = 0;
  }
  return at;
}

const full = () => {
  throw new Error("a large message");
};

function room(size) {
  const from = at;
  at = from + size;
  if (at > SLAB) full();
  return from;
}

const encoder = new TextEncoder();

function text(s) {
  const size = s.length;
  if (at + 4 + 3 * size > SLAB) full();
  let written = size;
  if (size > 24) written = encoder.encodeInto(s, b.subarray(at + 4)).written;
  else {
    for (let i = 0; i < size; i++) {
      const code = s.charCodeAt(i);
      if (code > 127) {
        written = encoder.encodeInto(s, b.subarray(at + 4)).written;
        break;
      }
      b[at + 4 + i] = code;
    }
  }
  v.setUint32(at, written, true);
  at += 4 + written;
}

const side = (name) => (name === "buy" ? 0 : name === "sell" ? 1 : name);
const type = (name) => (name === "market" ? 0 : name === "limit" ? 1 : name === "stop" ? 2 : name);

function balance({ currency, amount }) {
  const from = room(20);
  v.setUint32(from, 20, true);
  v.setUint32(from + 4, 2, true);
  v.setUint32(from + 8, at - from, true);
  text(currency);
  v.setFloat64(from + 12, amount, true);
}

function order(o) {
  const from = room(34);
  v.setUint32(from, 34, true);
  v.setUint32(from + 4, 1, true);
  v.setInt32(from + 8, o.id, true);
  v.setUint32(from + 12, at - from, true);
  text(o.symbol);
  b[from + 16] = side(o.side);
  b[from + 17] = type(o.type);
  v.setFloat64(from + 18, o.price, true);
  v.setFloat64(from + 26, o.volume, true);
}

/** FBE, standard. */
export function account(value) {
  const start = open();
  const from = room(38) + 8;
  v.setUint32(start + 4, 8, true);
  v.setUint32(from, 30, true);
  v.setUint32(from + 4, 3, true);
  v.setInt32(from + 8, value.id, true);
  v.setUint32(from + 12, at - from, true);
  text(value.name);
  b[from + 16] = value.state;
  v.setUint32(from + 17, at - from, true);
  balance(value.wallet);
  if (value.asset !== null) {
    b[from + 21] = 1;
    v.setUint32(from + 22, at - from, true);
    v.setUint32(room(4), 4, true);
    balance(value.asset);
  }
  v.setUint32(from + 26, at - from, true);
  const { orders } = value;
  const count = orders.length;
  const list = room(4 + 4 * count);
  v.setUint32(list, count, true);
  for (let i = 0; i < count; i++) {
    v.setUint32(list + 4 + 4 * i, at - from, true);
    order(orders[i]);
  }
  v.setUint32(start, at - start, true);
  return new Uint8Array(b.buffer, start, at - start);
}

function finalBalance({ currency, amount }) {
  text(currency);
  v.setFloat64(room(8), amount, true);
}

/** FBE Final. */
export function finalAccount(value) {
  const start = open();
  room(12);
  v.setUint32(start + 4, 3, true);
  v.setInt32(start + 8, value.id, true);
  text(value.name);
  b[room(1)] = value.state;
  finalBalance(value.wallet);
  const asset = room(1);
  if (value.asset !== null) {
    b[asset] = 1;
    finalBalance(value.asset);
  }
  const { orders } = value;
  const count = orders.length;
  v.setUint32(room(4), count, true);
  for (let i = 0; i < count; i++) {
    const o = orders[i];
    v.setInt32(room(4), o.id, true);
    text(o.symbol);
    const from = room(18);
    b[from] = side(o.side);
    b[from + 1] = type(o.type);
    v.setFloat64(from + 2, o.price, true);
    v.setFloat64(from + 10, o.volume, true);
  }
  v.setUint32(start, at - start, true);
  return new Uint8Array(b.buffer, start, at - start);
}

/** SBE. */
export function trade(value) {
  const start = open();
  const from = room(61) + 8;
  v.setUint16(start, 53, true);
  v.setUint16(start + 2, 1, true);
  v.setUint16(start + 4, 71, true);
  v.setUint16(start + 6, 2, true);
  v.setBigUint64(from, value.sequence, true);
  v.setBigUint64(from + 8, value.time, true);
  v.setUint32(from + 16, value.instrument, true);
  v.setBigInt64(from + 20, value.price.mantissa, true);
  v.setUint32(from + 28, value.size, true);
  b[from + 32] = value.aggressor === "buy" ? 66 : value.aggressor === "sell" ? 83 : value.aggressor;
  b[from + 33] = value.conditions;
  v.setBigUint64(from + 34, value.buyOrder, true);
  v.setBigUint64(from + 42, value.sellOrder, true);
  const { venue } = value;
  for (let i = 0; i < venue.length; i++) b[from + 50 + i] = venue.charCodeAt(i);
  return new Uint8Array(b.buffer, start, at - start);
}
