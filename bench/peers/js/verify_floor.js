// Checks of the three messages of floor.js by hand: all that its decoders check, without values. They give how many bytes a message has.
import { bad, block, f, open } from "./floor.js";

function linked(base, place) {
  const offset = f.v.getUint32(place, true);
  if (offset === 0) return;
  const at = base + offset;
  if (f.end - at < 4 || f.v.getUint32(at, true) > f.end - at - 4) bad();
}

function balance(at) {
  block(at, 20);
  linked(at, at + 8);
}

/** FBE, standard. */
export function account(bytes) {
  const start = open(bytes);
  const { v } = f;
  if (f.end - start < 8) bad();
  const at = start + v.getUint32(start + 4, true);
  block(at, 30);
  linked(at, at + 12);
  balance(at + v.getUint32(at + 17, true));
  if (f.b[at + 21] !== 0) {
    const cell = at + v.getUint32(at + 22, true);
    if (f.end - cell < 4) bad();
    balance(cell + v.getUint32(cell, true));
  }
  const list = at + v.getUint32(at + 26, true);
  if (f.end - list < 4) bad();
  const count = v.getUint32(list, true);
  if (count * 4 > f.end - list - 4) bad();
  for (let i = 0; i < count; i++) {
    const order = at + v.getUint32(list + 4 + 4 * i, true);
    block(order, 34);
    linked(order, order + 12);
  }
  return v.getUint32(start, true);
}

/** Behind a text with its size in front. */
function counted(at) {
  if (f.end - at < 4) bad();
  const size = f.v.getUint32(at, true);
  if (size > f.end - at - 4) bad();
  return at + 4 + size;
}

function finalBalance(at) {
  const behind = counted(at) + 8;
  return behind > f.end ? bad() : behind;
}

/** FBE Final. */
export function finalAccount(bytes) {
  const start = open(bytes);
  const { v, b } = f;
  if (f.end - start < 12 || v.getUint32(start + 4, true) !== 3) bad();
  let at = counted(start + 12);
  if (f.end - at < 1) bad();
  at = finalBalance(at + 1);
  if (f.end - at < 1) bad();
  at = b[at] === 0 ? at + 1 : finalBalance(at + 1);
  if (f.end - at < 4) bad();
  const count = v.getUint32(at, true);
  at += 4;
  for (let i = 0; i < count; i++) {
    if (f.end - at < 4) bad();
    at = counted(at + 4) + 18;
    if (at > f.end) bad();
  }
  return at - start === v.getUint32(start, true) ? at - start : bad();
}

/** SBE. */
export function trade(bytes) {
  const start = open(bytes);
  const { v } = f;
  const size = v.getUint16(start, true);
  if (f.end - start - 8 < size || size < 53 || v.getUint16(start + 2, true) !== 1 || v.getUint16(start + 6, true) < 2) bad();
  return 8 + size;
}
