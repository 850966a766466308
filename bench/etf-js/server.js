// Writes a value as a Phoenix server's `term_to_binary` writes the map it would have there: integer keys as
// integers, other keys and statuses as atoms, lists of bytes as STRING_EXT, map keys in term order.

const ATOM_EXT = 100;
const SMALL_ATOM_UTF8_EXT = 119;
let atomTag = SMALL_ATOM_UTF8_EXT;

const text = new TextEncoder();

function sized(tag, bytes, out) {
  out.push(tag, bytes.length >>> 24, (bytes.length >>> 16) & 255, (bytes.length >>> 8) & 255, bytes.length & 255);
  for (const byte of bytes) out.push(byte);
}

function count(tag, n, out) {
  out.push(tag, n >>> 24, (n >>> 16) & 255, (n >>> 8) & 255, n & 255);
}

function atom(name, out) {
  const bytes = text.encode(name);
  if (atomTag === ATOM_EXT) out.push(ATOM_EXT, 0);
  else out.push(SMALL_ATOM_UTF8_EXT);
  out.push(bytes.length, ...bytes);
}

function number(value, out) {
  if (Number.isInteger(value) && value >= 0 && value < 256) return out.push(97, value);
  if (Number.isInteger(value) && value === (value | 0)) return count(98, value, out);
  const float = new DataView(new ArrayBuffer(8));
  float.setFloat64(0, value);
  return out.push(70, ...new Uint8Array(float.buffer));
}

function list(value, out) {
  if (value.length === 0) return out.push(106);
  if (value.every((item) => Number.isInteger(item) && item >= 0 && item < 256)) {
    return out.push(107, value.length >>> 8, value.length & 255, ...value);
  }
  count(108, value.length, out);
  for (const item of value) term(item, out);
  return out.push(106);
}

function map(value, out) {
  const keys = Object.keys(value);
  count(116, keys.length, out);
  for (const key of keys) {
    if (/^\d+$/.test(key)) number(Number(key), out);
    else atom(key, out);
    if (key === "status") atom(value[key], out);
    else term(value[key], out);
  }
}

function term(value, out) {
  if (value === null || typeof value === "boolean") return atom(value === null ? "nil" : String(value), out);
  if (typeof value === "number") return number(value, out);
  if (typeof value === "string") return sized(109, text.encode(value), out);
  return Array.isArray(value) ? list(value, out) : map(value, out);
}

/** Sorts keys as the server's maps are sorted, integers first: both formats then carry the same order. */
export function inTermOrder(value) {
  if (Array.isArray(value)) return value.map(inTermOrder);
  if (value === null || typeof value !== "object") return value;
  const integersFirst = Object.keys(value).filter((key) => /^\d+$/.test(key));
  const atoms = Object.keys(value).filter((key) => !/^\d+$/.test(key) && value[key] !== undefined).sort();
  return Object.fromEntries([...integersFirst, ...atoms].map((key) => [key, inTermOrder(value[key])]));
}

/** The frame; `oldAtoms` writes atoms as servers before OTP 26 did. */
export function serverBytes(value, oldAtoms = false) {
  const out = [131];
  atomTag = oldAtoms ? ATOM_EXT : SMALL_ATOM_UTF8_EXT;
  term(value, out);
  return Uint8Array.from(out);
}
