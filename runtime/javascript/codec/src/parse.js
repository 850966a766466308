import { CodecError } from "./error.js";

export const bad = (at, detail) => {
  throw new CodecError("bad-json", at, [], detail);
};

const NUMBER = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?/y;
const ESCAPES = { '"': '"', "\\": "\\", "/": "/", b: "\b", f: "\f", n: "\n", r: "\r", t: "\t" };

/** Whether a text is a number as JSON writes it, without white space. */
export const isNumber = (text) => {
  NUMBER.lastIndex = 0;
  return NUMBER.exec(text)?.[0].length === text.length;
};

// Bytes of memory that records may take for each character of text, and on top of that. The values within lists, texts and names take
// the rest of 64 for each and 16 MiB.
const MEMORY_FACTOR = 24;
const MEMORY_BASE = 6 << 20;

// A field is a word in its record, one or two on the way there, and a collector copies them.
const FIELD = 32;

/**
 * The tokens of JSON (RFC 8259), read strictly from `at` on; so many levels of records may still be entered. A parser of a value's
 * text pays for its records: an object becomes all fields of its record, whichever it gives.
 */
export class Parser {
  constructor(text, depth) {
    this.text = text;
    this.at = 0;
    this.depth = depth;
    this.memory = MEMORY_FACTOR * text.length + MEMORY_BASE;
  }

  /** Enters a record of so many fields. */
  enter(fields) {
    if (this.depth === 0) throw new CodecError("too-deep", (this.peek(), this.at), [], "records nest deeper than the limit");
    this.depth--;
    this.pay(fields);
  }

  /** Pays for so many fields before there is memory for them. */
  pay(fields) {
    this.memory -= FIELD * fields;
    if (this.memory >= 0) return;
    const most = `${MEMORY_FACTOR} bytes for each character of the text and ${MEMORY_BASE >> 20} MiB`;
    throw new CodecError("too-large", (this.peek(), this.at), [], `records would take more memory than ${most}`);
  }

  /** The next character that is no white space, without taking it. */
  peek() {
    let next = this.text[this.at];
    while (next === " " || next === "\t" || next === "\n" || next === "\r") next = this.text[++this.at];
    return next;
  }

  take(character) {
    if (this.peek() !== character) return false;
    this.at++;
    return true;
  }

  expect(character, what) {
    if (!this.take(character)) bad(this.at, `expected ${what}, found ${this.found()}`);
  }

  /** The next token in words. */
  found() {
    const next = this.peek();
    if (next === undefined) return "the end";
    if (next === '"') return "a string";
    if (next === "{") return "an object";
    if (next === "[") return "an array";
    return /[-\d]/.test(next) ? "a number" : (/^(?:null|true|false)\b/.exec(this.text.slice(this.at, this.at + 6))?.[0] ?? JSON.stringify(next));
  }

  end() {
    if (this.peek() !== undefined) bad(this.at, `expected the end, found ${this.found()}`);
  }

  /** Takes a word if it comes next. */
  word(word) {
    this.peek();
    const stop = this.at + word.length;
    if (!this.text.startsWith(word, this.at) || /[\da-zA-Z]/.test(this.text[stop] ?? "")) return false;
    this.at = stop;
    return true;
  }

  /** Whether a closing bracket comes next: takes it, or the comma before what comes after the first. */
  closes(bracket, first) {
    if (this.take(bracket)) return true;
    if (!first) {
      this.expect(",", "`,` or the end of the list");
      this.peek();
    }
    return false;
  }

  string() {
    this.expect('"', "a string");
    const start = this.at;
    const stop = this.text.indexOf('"', start);
    const plain = this.text.slice(start, stop);
    if (stop < 0 || /[\\\0-\x1f]/.test(plain)) return this.#escaped(start);
    if (!plain.isWellFormed()) bad(start, "half of a surrogate pair is no character");
    this.at = stop + 1;
    return plain;
  }

  #escaped(start) {
    const stops = /["\\\0-\x1f]/g;
    let text = "";
    for (;;) {
      stops.lastIndex = this.at;
      const found = stops.exec(this.text);
      if (found === null) bad(start - 1, "the string does not end");
      const piece = this.text.slice(this.at, found.index);
      if (!piece.isWellFormed()) bad(this.at, "half of a surrogate pair is no character");
      text += piece;
      this.at = found.index;
      if (found[0] === '"') {
        this.at++;
        return text;
      }
      if (found[0] !== "\\") bad(this.at, "a control character in a string must be escaped");
      text += this.#escape();
    }
  }

  #escape() {
    const start = this.at;
    const name = this.text[start + 1];
    if (name !== "u") {
      this.at += 2;
      return Object.hasOwn(ESCAPES, name ?? "") ? ESCAPES[name] : bad(start, 'no such escape: JSON has \\" \\\\ \\/ \\b \\f \\n \\r \\t and \\uXXXX');
    }
    const [all] = /^(?:\\u[\da-fA-F]{4}){0,2}/.exec(this.text.slice(start, start + 12));
    if (all === "") bad(start, "not four hex digits");
    const units = all.split("\\u").slice(1).map((digits) => parseInt(digits, 16));
    const isPair = units.length === 2 && units[0] >> 10 === 0x36 && units[1] >> 10 === 0x37;
    const character = isPair ? String.fromCharCode(...units) : String.fromCharCode(units[0]);
    if (!character.isWellFormed()) bad(start, "half of a surrogate pair is no character");
    this.at += 6 * character.length;
    return character;
  }

  /** Skips a value of any kind, of at most so many levels. Its objects give no key twice. */
  skip(depth) {
    const next = this.peek();
    if (next === '"') this.string();
    else if (/[-\d]/.test(next ?? "")) this.number();
    else if (next === "{" || next === "[") this.#skipAll(next === "{" ? "}" : "]", depth);
    else if (!["null", "true", "false"].some((word) => this.word(word))) bad(this.at, `expected a value, found ${this.found()}`);
  }

  #skipAll(close, depth) {
    if (depth === 0) throw new CodecError("too-deep", this.at, [], "values nest deeper than the limit");
    this.at++;
    const seen = new Set();
    for (let first = true; !this.closes(close, first); first = false) {
      if (close === "}") {
        const at = this.at;
        const key = this.string();
        if (seen.has(key)) bad(at, `${JSON.stringify(key)} is given twice`);
        seen.add(key);
        this.expect(":", "`:`");
      }
      this.skip(depth - 1);
    }
  }

  /** A number's text. */
  number() {
    if (!/[-\d]/.test(this.peek() ?? "")) bad(this.at, `expected a number, found ${this.found()}`);
    NUMBER.lastIndex = this.at;
    const found = NUMBER.exec(this.text);
    const stop = this.at + (found?.[0].length ?? 0);
    // Text that goes on behind a number makes no number: 01, 1., 1e.
    if (found === null || /[\d.eE]/.test(this.text[stop] ?? "")) bad(this.at, "not a number");
    this.at = stop;
    return found[0];
  }
}

/** The integer that a number's text is, exactly: 1e3 and 2.0 are some. A big one from 2^53 on; `undefined` for none, and beyond 38 digits. */
export function integer(text) {
  if (text.length < 16 && /^-?\d+$/.test(text)) return Number(text) + 0;
  const [, sign, whole, fraction = "", exponent = "0"] = /^(-?)(\d+)(?:\.(\d+))?(?:[eE]([+-]?\d+))?$/.exec(text);
  const digits = (whole + fraction).replace(/^0+/, "");
  let end = digits.length;
  while (digits[end - 1] === "0") end--;
  if (end === 0) return 0;
  const shift = Number(exponent) - fraction.length + digits.length - end;
  if (shift < 0 || end + shift > 38) return undefined;
  const value = BigInt(sign + digits.slice(0, end)) * 10n ** BigInt(shift);
  return BigInt.asIntN(53, value) === value ? Number(value) : value;
}
