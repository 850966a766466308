// The address book of Cap'n Proto by hand (conformance/schemas/addressbook.capnp), in one segment behind a table: near pointers, sections
// of the schema's sizes, all else is thrown at. No budget is charged and no depth counted; what is written is not checked.
const f = { b: new Uint8Array(0), v: new DataView(new ArrayBuffer(0)), end: 0 };
const char = String.fromCharCode;
const decoder = new TextDecoder();

const bad = () => {
  throw new Error("damaged");
};

/** Gives where the root pointer is. */
function open(bytes) {
  if (f.v.buffer !== bytes.buffer) {
    f.v = new DataView(bytes.buffer);
    f.b = new Uint8Array(bytes.buffer);
  }
  const start = bytes.byteOffset;
  if (bytes.length < 16 || f.v.getUint32(start, true) !== 0) bad();
  const size = f.v.getUint32(start + 4, true) * 8;
  if (size > bytes.length - 8) bad();
  f.end = start + 8 + size;
  return start + 8;
}

/** The place of a pointer's record; the pointer's upper half says its sections. */
function record(at, sections) {
  const lower = f.v.getInt32(at, true);
  const to = at + 8 + (lower >> 2) * 8;
  if ((lower & 3) !== 0 || f.v.getUint32(at + 4, true) !== sections) bad();
  if (f.end - to < ((sections & 0xffff) + (sections >>> 16)) * 8) bad();
  return to;
}

/** The first byte of a text, and how many it has; 0 if it is null. */
function textAt(at) {
  const lower = f.v.getInt32(at, true);
  const upper = f.v.getUint32(at + 4, true);
  if ((lower | upper) === 0) return 0;
  const to = at + 8 + (lower >> 2) * 8;
  const size = upper >>> 3;
  if ((lower & 3) !== 1 || (upper & 7) !== 2 || size === 0 || f.end - to < size || f.b[to + size - 1] !== 0) bad();
  f.size = size - 1;
  return to;
}

f.size = 0;
f.count = 0;

function text(at) {
  const from = textAt(at);
  if (from === 0) return null;
  const { b, size } = f;
  let seen = 0;
  for (let i = from; i < from + size; i++) seen |= b[i];
  if (size > 32 || seen > 127) return decoder.decode(b.subarray(from, from + size));
  let s = "";
  let i = from;
  const stop = from + size;
  for (; stop - i >= 8; i += 8) s += char(b[i], b[i + 1], b[i + 2], b[i + 3], b[i + 4], b[i + 5], b[i + 6], b[i + 7]);
  if (stop - i >= 4) {
    s += char(b[i], b[i + 1], b[i + 2], b[i + 3]);
    i += 4;
  }
  for (; i < stop; i++) s += char(b[i]);
  return s;
}

/** The first record of a list, each of so many words; 0 if it is null. */
function records(at, sections) {
  const lower = f.v.getInt32(at, true);
  const upper = f.v.getUint32(at + 4, true);
  if ((lower | upper) === 0) return 0;
  const tag = at + 8 + (lower >> 2) * 8;
  const size = (upper >>> 3) * 8 + 8;
  if ((lower & 3) !== 1 || (upper & 7) !== 7 || f.end - tag < size) bad();
  const count = f.v.getUint32(tag, true) >>> 2;
  if (f.v.getUint32(tag + 4, true) !== sections || count * ((sections & 0xffff) + (sections >>> 16)) * 8 > size - 8) bad();
  f.count = count;
  return tag + 8;
}

const TYPES = ["mobile", "home", "work"];

function phones(at) {
  const first = records(at, 0x10001);
  if (first === 0) return null;
  const { count } = f;
  const list = [];
  for (let i = 0, from = first; i < count; i++, from += 16) {
    const type = f.v.getUint16(from, true);
    list.push({ number: text(from + 8), type: type === 0 ? "mobile" : type === 1 ? "home" : type === 2 ? "work" : type });
  }
  return list;
}

function employment(at) {
  switch (f.v.getUint16(at + 4, true)) {
    case 0: return { which: "unemployed", value: null };
    case 1: return { which: "employer", value: text(at + 32) };
    case 2: return { which: "school", value: text(at + 32) };
    case 3: return { which: "selfEmployed", value: null };
    default: return bad();
  }
}

export function decode(bytes) {
  const first = records(record(open(bytes), 0x10000), 0x40001);
  if (first === 0) return { people: null };
  const { count } = f;
  const people = [];
  for (let i = 0, at = first; i < count; i++, at += 40) {
    people.push({ id: f.v.getUint32(at, true), name: text(at + 8), email: text(at + 16), phones: phones(at + 24), employment: employment(at) });
  }
  return { people };
}

/** The checks of decoding, without values; gives how many bytes the message has. */
export function verify(bytes) {
  const root = open(bytes);
  const first = records(record(root, 0x10000), 0x40001);
  const count = first === 0 ? 0 : f.count;
  for (let i = 0, at = first; i < count; i++, at += 40) {
    textAt(at + 8);
    textAt(at + 16);
    const list = records(at + 24, 0x10001);
    const numbers = list === 0 ? 0 : f.count;
    for (let j = 0; j < numbers; j++) textAt(list + 16 * j + 8);
    const which = f.v.getUint16(at + 4, true);
    if (which === 1 || which === 2) textAt(at + 32);
  }
  return f.end - bytes.byteOffset;
}

const SLAB = 1 << 17;
let b = new Uint8Array(SLAB);
let v = new DataView(b.buffer);
let at = 0;

const full = () => {
  throw new Error("a large message");
};

function room(size) {
  const from = at;
  at += size;
  if (at > SLAB) full();
  return from;
}

function point(from, to, kind, upper) {
  v.setInt32(from, ((to - from - 8) >> 1) | kind, true);
  v.setUint32(from + 4, upper, true);
}

const encoder = new TextEncoder();

function putText(place, s) {
  if (s === null) return;
  const size = s.length;
  if (at + 3 * size + 8 > SLAB) full();
  let written = size;
  if (size > 24) written = encoder.encodeInto(s, b.subarray(at)).written;
  else {
    for (let i = 0; i < size; i++) {
      const code = s.charCodeAt(i);
      if (code > 127) {
        written = encoder.encodeInto(s, b.subarray(at)).written;
        break;
      }
      b[at + i] = code;
    }
  }
  point(place, at, 1, 2 | ((written + 1) << 3));
  at += (written + 8) & -8;
}

/** The place that the first of so many records will have. */
function putRecords(place, count, words, sections) {
  const tag = room((count * words + 1) * 8);
  point(place, tag, 1, 7 | ((count * words) << 3));
  v.setUint32(tag, count << 2, true);
  v.setUint32(tag + 4, sections, true);
  return tag + 8;
}

export function encode({ people }) {
  if (SLAB - at < SLAB / 4) {
    b = new Uint8Array(SLAB);
    v = new DataView(b.buffer);
    at = 0;
  }
  const start = room(24);
  point(start + 8, start + 16, 0, 0x10000);
  if (people !== null) {
    const first = putRecords(start + 16, people.length, 5, 0x40001);
    for (let i = 0, to = first; i < people.length; i++, to += 40) {
      const { id, employment } = people[i];
      v.setUint32(to, id, true);
      const { which } = employment;
      v.setUint16(to + 4, which === "unemployed" ? 0 : which === "employer" ? 1 : which === "school" ? 2 : 3, true);
    }
    for (let i = 0, to = first; i < people.length; i++, to += 40) {
      const { name, email, phones, employment } = people[i];
      putText(to + 8, name);
      putText(to + 16, email);
      if (phones !== null) {
        const list = putRecords(to + 24, phones.length, 2, 0x10001);
        for (let j = 0; j < phones.length; j++) v.setUint16(list + 16 * j, TYPES.indexOf(phones[j].type), true);
        for (let j = 0; j < phones.length; j++) putText(list + 16 * j + 8, phones[j].number);
      }
      if (employment.value !== null) putText(to + 32, employment.value);
    }
  }
  v.setUint32(start + 4, (at - start - 8) / 8, true);
  return new Uint8Array(b.buffer, start, at - start);
}
