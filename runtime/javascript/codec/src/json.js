import { CodecError, within } from "./error.js";

/** The JSON text of a value. What JSON cannot say is `bad-text` or `bad-value`, with the path of the value at fault. */
export function toJson(type, value) {
  return type.write(value);
}

const refuse = (code, detail) => {
  throw new CodecError(code, null, [], detail);
};

const plain = { write: String, key: (value) => `"${value}"` };

export const bool = plain;
/** Integers, numbers or big ones. */
export const int = plain;

function text(value) {
  if (!value.isWellFormed()) refuse("bad-text", "the text is not UTF-8");
  return JSON.stringify(value);
}

/** Text in UTF-8; bytes that are none show as lone surrogates. */
export const utf8 = { write: text, key: text };
/** Text whose characters are bytes. */
export const latin1 = { write: JSON.stringify, key: JSON.stringify };
export const character = { write: JSON.stringify, key: (value) => `"${value.charCodeAt(0)}"` };

const quoted = { write: (value) => `"${value}"`, key: (value) => `"${value}"` };
export const uuid = quoted;
export const decimal = quoted;

export const bytes = { write: (value) => `"${base64(value)}"` };

function base64(value) {
  let codes = "";
  for (let at = 0; at < value.length; at += 8192) codes += String.fromCharCode(...value.subarray(at, at + 8192));
  return btoa(codes);
}

/** Whole numbers have a point, negative zero has its sign. */
const point = (digits, value) => {
  if (value === 0) return Object.is(value, -0) ? "-0.0" : "0.0";
  return /[.e]/.test(digits) ? digits : `${digits}.0`;
};

/** The shortest digits that read back as the same float of 32 bits. */
function digits32(value) {
  for (let places = 1; places < 9; places++) {
    const short = Number(value.toPrecision(places));
    if (Math.fround(short) === value) return String(short);
    const above = further(value, places);
    if (Math.fround(above) === value) return String(above);
  }
  return String(Number(value.toPrecision(9)));
}

/**
 * The number of so many places that is next to the value's nearest, away from zero. Below a power of two floats are twice as dense
 * as above it: there the nearest may be read as another float, and this one not.
 */
function further(value, places) {
  const [digits, exponent] = Math.abs(value).toExponential(places - 1).split("e");
  const next = Number(`${Number(digits.replace(".", "")) + 1}e${Number(exponent) - places + 1}`);
  return value < 0 ? -next : next;
}

const float = (digits, nonFinite) => ({
  write(value) {
    if (Number.isFinite(value)) return point(digits(value), value);
    return nonFinite ? `"${value}"` : refuse("bad-value", "JSON has no number for NaN and infinities");
  },
});

export const f64 = float(String, true);
export const f32 = float(digits32, true);
/** Floats of forms whose JSON has no NaN and no infinities. */
export const f64finite = float(String, false);
export const f32finite = float(digits32, false);

export const optional = (type) => ({ write: (value) => (value === null ? "null" : type.write(value)) });

/** Lists, arrays and sets. */
export const list = (type) => ({
  write(value) {
    let index = 0;
    let json = "[";
    try {
      for (const item of value) {
        json += (index === 0 ? "" : ",") + type.write(item);
        index++;
      }
    } catch (error) {
      throw within(error, index);
    }
    return `${json}]`;
  },
});

const entries = (open, close, entry) => ({
  write(value) {
    let index = 0;
    let json = open;
    try {
      for (const [key, item] of value) {
        json += (index === 0 ? "" : ",") + entry(key, item);
        index++;
      }
    } catch (error) {
      throw within(error, index);
    }
    return json + close;
  },
});

/** Maps whose keys have a text are objects, others arrays of pairs. */
export const map = (key, type) => entries("{", "}", (k, v) => `${key.key(k)}:${type.write(v)}`);
export const pairs = (key, type) => entries("[", "]", (k, v) => `[${key.write(k)},${type.write(v)}]`);

/** Enums: names and their values. JSON has the name, or the value where `named` is false; of what has no name the value. */
export const enumeration = (named, names) => {
  let values;
  const number = (value) => (typeof value === "string" ? (values ??= new Map(names())).get(value) : value);
  const key = (value) => `"${number(value)}"`;
  return { write: named ? (value) => (typeof value === "string" ? JSON.stringify(value) : String(value)) : (value) => String(number(value)), key };
};

/** Flags as lists of the names of their bits, and what is left as a number. */
export const flags = (names) => ({
  write(value) {
    let rest = BigInt(value);
    const found = [];
    for (const [name, bit] of names()) {
      if ((rest & BigInt(bit)) === 0n) continue;
      rest &= ~BigInt(bit);
      found.push(JSON.stringify(name));
    }
    if (rest !== 0n) found.push(String(rest));
    return `[${found.join(",")}]`;
  },
  key: plain.key,
});

/** Records: names of fields and their types. A field without a value, as its bytes end before it, is null. */
export const record = (fields) => {
  let known;
  return {
    write(value) {
      known ??= fields().map(([name, type], i) => [name, type, `${i === 0 ? "" : ","}${JSON.stringify(name)}:`]);
      let json = "{";
      let last;
      try {
        for (const [name, type, key] of known) {
          last = name;
          const item = value[name];
          json += key + (item === undefined || item === null ? "null" : type.write(item));
        }
      } catch (error) {
        throw within(error, last);
      }
      return `${json}}`;
    },
  };
};
