import { Decimal } from "./decimal.js";
import { CodecError, concealed, typed, within } from "./error.js";
import { defaultLimits } from "./frame.js";
import { bad, integer, isNumber, Parser } from "./parse.js";

export * from "./order.js";
export { Decimal, orderDecimals } from "./decimal.js";
export { Opaque } from "./opaque.js";

// A type writes a value's JSON, and reads it from a parser; types of keys write a member's name, and read it.

/** The value that a text says, a string or bytes of UTF-8, with nothing after it. Offsets are in what was given. */
export function fromJson(type, given, limits = defaultLimits) {
  const text = typeof given === "string" ? given : decoded(given);
  const parser = new Parser(text, limits.depth);
  try {
    const value = type.read(parser);
    parser.end();
    return value;
  } catch (error) {
    if (error instanceof CodecError && given !== text) error.offset = new TextEncoder().encode(text.slice(0, error.offset)).length;
    throw error;
  }
}

function decoded(bytes) {
  if (!(bytes instanceof Uint8Array)) throw new TypeError("JSON is a string or a Uint8Array");
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    return bad(0, "the text is not UTF-8");
  }
}

/** The JSON text of a value. What JSON cannot say is `bad-text` or `bad-value`, with the path of the value at fault. */
export function toJson(type, value) {
  try {
    return type.write(value);
  } catch (error) {
    throw typed(error);
  }
}

export const refuse = (code, detail) => {
  throw new CodecError(code, null, [], detail);
};

const outOfRange = (at, detail, shown) => {
  throw new CodecError("out-of-range", at, [], detail, shown);
};

const MOST = 2 ** 53 - 1;

const plain = { write: String, key: (value) => `"${value}"` };

export const bool = {
  ...plain,
  read: (p) => p.word("true") || (p.word("false") ? false : bad(p.at, `expected true or false, found ${p.found()}`)),
  readKey: (text, at) => text === "true" || (text === "false" ? false : bad(at, "expected true or false as the key")),
};

/** Integers of a range; `of` makes the value of one, which is big where its bounds are. */
const int = (least, most, of = typeof least === "bigint" ? BigInt : Number) => {
  const inRange = (text, at) => {
    const value = integer(text);
    if (value === undefined || value < least || value > most) outOfRange(at, `${text} is not an integer from ${least} to ${most}`, text);
    return of(value);
  };
  return {
    ...plain,
    zero: typeof least === "bigint" ? 0n : 0,
    read(p) {
      const text = p.number();
      return inRange(text, p.at - text.length);
    },
    readKey: (text, at) =>
      /^(?:0|-?[1-9]\d*)$/.test(text) ? inRange(text, at) : bad(at, "expected an integer as the key, in plain decimal digits"),
  };
};

export const i8 = int(-128, 127);
export const u8 = int(0, 255);
export const i16 = int(-32768, 32767);
export const u16 = int(0, 65535);
export const i32 = int(-(2 ** 31), 2 ** 31 - 1);
export const u32 = int(0, 2 ** 32 - 1);
export const i64 = int(-(2n ** 63n), 2n ** 63n - 1n);
export const u64 = int(0n, 2n ** 64n - 1n);
// The same as numbers: those that numbers tell from one another, and any, rounded.
export const i64safe = int(-MOST, MOST);
export const u64safe = int(0, MOST);
export const i64number = int(-(2n ** 63n), 2n ** 63n - 1n, Number);
export const u64number = int(0n, 2n ** 64n - 1n, Number);

/** A reader of a string, given the function that makes a value of its text and place. */
const fromText = (readKey) => ({
  read(p) {
    p.peek();
    const at = p.at;
    return readKey(p.string(), at);
  },
  readKey,
});

function text(value) {
  if (!value.isWellFormed()) refuse("bad-text", "the text is not UTF-8");
  return JSON.stringify(value);
}

/** Text in UTF-8; bytes that are none show as lone surrogates. */
export const utf8 = { write: text, key: text, ...fromText((text) => text) };
/** Text whose characters are bytes. */
export const latin1 = {
  write: JSON.stringify,
  key: JSON.stringify,
  ...fromText((text, at) => (/[^\0-\xff]/.test(text) ? outOfRange(at, "a character beyond U+00FF in one-byte text") : text)),
};
export const character = {
  write: JSON.stringify,
  key: (value) => `"${value.charCodeAt(0)}"`,
  ...fromText((text, at) => {
    if (text === "" || text.length > 2 || text.codePointAt(0) < 65536 !== (text.length === 1)) bad(at, "expected a string of one character");
    return text > "\xff" ? outOfRange(at, "the character is beyond one byte") : text;
  }),
  readKey: (text, at) => String.fromCharCode(u8.readKey(text, at)),
};

const quoted = { write: (value) => `"${value}"`, key: (value) => `"${value}"` };
export const uuid = {
  ...quoted,
  ...fromText((text, at) =>
    /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/i.test(text) ? text.toLowerCase() : bad(at, "not a uuid of 32 hex digits with hyphens"),
  ),
};
export const decimal = {
  ...quoted,
  ...fromText((text, at) => {
    if (!isNumber(text)) bad(at, "not a decimal number");
    return Decimal.parse(text) ?? outOfRange(at, `${text} has more digits than a decimal holds`, text);
  }),
};

export const bytes = { write: (value) => `"${base64(value)}"`, ...fromText(octets) };

/** The bytes of base64, whose padding is there and whose spare bits are zero. */
function octets(text, at) {
  const digits = /(?:[AQgw]==|[AEIMQUYcgkosw048]=)?$/.exec(text);
  const body = text.slice(0, digits.index);
  if (text.length % 4 !== 0 || /[^A-Za-z0-9+/]/.test(body)) bad(at, "not base64 with padding");
  return Uint8Array.from(atob(text), (character) => character.charCodeAt(0));
}

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
    if (Math.fround(short) === value) return String(even(value, short, places));
    const above = further(value, places);
    if (Math.fround(above) === value) return String(above);
  }
  return String(Number(value.toPrecision(9)));
}

/** Of two numbers of so many places that are equally near to a value, the even one. `short` is the one away from zero. */
function even(value, short, places) {
  const [digits, exponent] = value.toExponential(places).split("e");
  if (!/[02468]\.?5$/.test(digits) || value.toExponential(99).split("e")[0] !== digits.padEnd(digits.length + 99 - places, "0")) return short;
  const below = Number(`${digits.slice(0, -1)}e${exponent}`);
  return Math.fround(below) === value ? below : short;
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

const NON_FINITE = /*#__PURE__*/ new Map([["NaN", NaN], ["Infinity", Infinity], ["-Infinity", -Infinity]]);

const float = (digits, nonFinite, narrow) => ({
  write(value) {
    if (Number.isFinite(value)) return point(digits(value), value);
    return nonFinite ? `"${value}"` : refuse("bad-value", "JSON has no number for NaN and infinities");
  },
  read(p) {
    if (nonFinite && p.peek() === '"') {
      const at = p.at;
      const name = p.string();
      return NON_FINITE.get(name) ?? bad(at, `expected a number, NaN, Infinity or -Infinity, found ${name}`);
    }
    const text = p.number();
    const value = narrow(Number(text));
    return Number.isFinite(value) ? value : outOfRange(p.at - text.length, `${text} is beyond the largest float of its type`, text);
  },
});

export const f64 = float(String, true, Number);
export const f32 = float(digits32, true, Math.fround);
/** Floats of forms whose JSON has no NaN and no infinities. */
export const f64finite = float(String, false, Number);
export const f32finite = float(digits32, false, Math.fround);

export const optional = (type) => ({
  absent: () => null,
  write: (value) => (value === null ? "null" : type.write(value)),
  read: (p) => (p.word("null") ? null : type.read(p)),
});

/** The elements that `read` reads between brackets, each with its index in the path of a fault. */
function readItems(p, open, close, what, read) {
  p.expect(open, what);
  const items = [];
  let index = 0;
  try {
    for (; !p.closes(close, index === 0); index++) read(items);
  } catch (error) {
    throw within(error, index);
  }
  return items;
}

/** Lists and arrays: `make` makes one of its elements, of which there are `length` where that is given. */
export const list = (type, make, length) => ({
  read(p) {
    p.peek();
    const at = p.at;
    const items = readItems(p, "[", "]", "an array", (items) => items.push(type.read(p)));
    if (length !== undefined && items.length !== length) bad(at, `expected ${length} elements, found ${items.length}`);
    return make(items);
  },
  write(value) {
    let index = 0;
    let json = "[";
    try {
      for (const item of value) {
        json += (index === 0 ? "" : ",") + type.write(item);
        index++;
      }
    } catch (error) {
      throw within(typed(error), index);
    }
    return `${json}]`;
  },
});

/** Sets, which give no element twice. */
export const set = (type, make) => {
  const elements = list(type, (items) => items);
  return { ...elements, read: (p) => unique(p, () => elements.read(p), 1, make) };
};

/** The collection of what is read, whose elements or keys differ. */
function unique(p, read, each, make) {
  p.peek();
  const at = p.at;
  const items = read();
  const count = items.length / each;
  const made = make(items);
  return (made.size ?? made.length) === count ? made : bad(at, each === 1 ? "an element of the set is given twice" : "a key is given twice");
}

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
      throw within(typed(error), index);
    }
    return json + close;
  },
});

/** Maps whose keys have a text are objects, others arrays of pairs. */
export const map = (key, type, make) => ({
  ...entries("{", "}", (k, v) => `${key.key(k)}:${type.write(v)}`),
  read(p) {
    const member = (items) => {
      p.peek();
      const at = p.at;
      items.push(key.readKey(p.string(), at));
      p.expect(":", "`:`");
      items.push(type.read(p));
    };
    return unique(p, () => readItems(p, "{", "}", "an object", member), 2, make);
  },
});
export const pairs = (key, type, make) => ({
  ...entries("[", "]", (k, v) => `[${key.write(k)},${type.write(v)}]`),
  read(p) {
    const pair = (items) => {
      p.expect("[", "a pair [key,value]");
      items.push(key.read(p));
      p.expect(",", "`,` and the value");
      items.push(type.read(p));
      p.expect("]", "`]`");
    };
    return unique(p, () => readItems(p, "[", "]", "an array of [key,value] pairs", pair), 2, make);
  },
});

/**
 * Enums: their integers, and names with their values, the first of a value being its own, and what JSON calls it where that is another
 * name. JSON has the name, or the value where `named` is false; of what has no name the value. With `asNumbers` codecs
 * have the values, not the names.
 */
export const enumeration = (named, type, names, asNumbers = false) => {
  let numbers;
  let own;
  let texts;
  const known = () => {
    if (own !== undefined) return;
    const all = names().reverse();
    numbers = new Map(all.map(([name, value, text = name]) => [text, value]));
    own = new Map(all.map(([name, value]) => [value, name]));
    texts = new Map(all.map(([name, value, text = name]) => [name, [value, JSON.stringify(text)]]));
  };
  const name = (value) => (known(), own.get(value) ?? value);
  const part = (value, i) => {
    const called = asNumbers ? name(value) : (known(), value);
    return typeof called === "string" ? texts.get(called)[i] : value;
  };
  const given = asNumbers ? (value) => value : name;
  return {
    key: (value) => `"${part(value, 0)}"`,
    write: (value) => String(part(value, named ? 1 : 0)),
    read(p) {
      if (p.peek() !== '"') {
        if (!/[-\d]/.test(p.peek() ?? "")) bad(p.at, `expected a name or a number, found ${p.found()}`);
        return given(type.read(p));
      }
      const at = p.at;
      const text = p.string();
      known();
      const value = numbers.get(text);
      return value === undefined ? bad(at, "no enumerant is called so") : given(value);
    },
    readKey: (text, at) => given(type.readKey(text, at)),
  };
};

/**
 * Flags: their integers, bits by name, and masks by further names. JSON has a list of names, with what has none as a number, or the
 * value where `named` is false; it is read either way then.
 */
export const flags = (named, type, names, masks) => ({
  read(p) {
    if (!named && p.peek() !== "[") return type.read(p);
    const known = new Map([...names(), ...masks()]);
    p.expect("[", "an array of names");
    let mask = 0n;
    for (let first = true; !p.closes("]", first); first = false) {
      const at = p.at;
      const bits = p.peek() === '"' ? (known.get(p.string()) ?? bad(at, "no flag is called so")) : type.read(p);
      mask |= BigInt(bits);
    }
    return typeof type.zero === "bigint" ? mask : Number(mask);
  },
  readKey: type.readKey,
  write(value) {
    if (!named) return String(value);
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

/**
 * Records: `of` makes one of its fields, each a name, a type, and `rules`: the `key` where it is another name, the value of null
 * (`none`) and of a missing key (`absent`) where there may be such, and what the schema fixes (`fixed`). A field without a value, as
 * its bytes end before it, is null.
 */
export const record = (of, fields) => {
  let known;
  const prepare = () => {
    const prepared = fields().map(([name, type, rules = {}], i) => {
      const key = rules.key ?? name;
      return { name, type, rules, key, text: `${i === 0 ? "" : ","}${JSON.stringify(key)}:` };
    });
    return { fields: prepared, places: new Map(prepared.map(({ key }, i) => [key, i])) };
  };
  return {
    write(value) {
      known ??= prepare();
      let json = "{";
      let last;
      try {
        for (const { name, type, key, text } of known.fields) {
          last = key;
          const item = value[name];
          json += text + (item === undefined || item === null ? "null" : type.write(item));
        }
      } catch (error) {
        throw within(known.fields.some(({ key, rules }) => key === last && rules.hidden) ? concealed(typed(error)) : typed(error), last);
      }
      return `${json}}`;
    },
    read(p) {
      known ??= prepare();
      p.enter(known.fields.length);
      p.expect("{", "an object");
      const values = new Array(known.fields.length).fill(undefined);
      const given = values.slice();
      for (let first = true; !p.closes("}", first); first = false) {
        const at = p.at;
        const key = p.string();
        const place = known.places.get(key);
        const wrong = place === undefined ? "no field is called so" : given[place] ? "the field is given twice" : undefined;
        if (wrong !== undefined) framed(key, () => bad(at, wrong));
        given[place] = true;
        p.expect(":", "`:`");
        values[place] = framed(key, () => readField(p, known.fields[place]), known.fields[place].rules.hidden);
      }
      known.fields.forEach((field, i) => {
        if (!given[i]) values[i] = framed(field.key, () => absent(p, field));
      });
      p.depth++;
      return of(...values);
    },
  };
};

export function framed(key, run, isHidden) {
  try {
    return run();
  } catch (error) {
    throw within(isHidden ? concealed(error) : error, key);
  }
}

export function readField(p, { type, rules: { none, fixed } }) {
  if (none !== undefined && p.word("null")) return none();
  p.peek();
  const at = p.at;
  const value = type.read(p);
  if (fixed !== undefined && value !== fixed() && !Object.is(value, fixed())) bad(at, "the schema fixes another value");
  return value;
}

export function absent(p, { type, rules: { absent = type.absent } }) {
  if (absent === undefined) bad(p.at, "the field is required");
  const value = absent();
  p.pay(fieldsWithin(value));
  return value;
}

/** How many fields and elements a value has room for besides its own place. */
function fieldsWithin(value) {
  if (typeof value !== "object" || value === null) return 0;
  if (ArrayBuffer.isView(value)) return value.byteLength / 8;
  return Object.values(value).reduce((sum, item) => sum + 1 + fieldsWithin(item), 0);
}
