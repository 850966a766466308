import { typed, within } from "./error.js";
import { absent, bytes, framed, list, readField, refuse, u8 } from "./json.js";
import { bad, isNumber, Parser } from "./parse.js";

// The JSON of Cap'n Proto (compat/json): null fields are left out, keys that mean nothing are skipped, a union's arm may be a member
// of the record around it, and so may the members of what is flattened.

/** A value of no bytes. */
export const nothing = {
  write: () => "null",
  read: (p) => (p.word("null") ? null : bad(p.at, `expected null, found ${p.found()}`)),
};

const openType = "JSON cannot say a value whose type the schema leaves open";
export const opaque = { write: () => refuse("bad-value", openType), read: (p) => bad((p.peek(), p.at), openType) };

/** Numbers that may be given as text. */
export const loose = (type) => ({
  ...type,
  read(p) {
    if (p.peek() !== '"') return type.read(p);
    const at = p.at;
    const text = p.string();
    if (!isNumber(text)) bad(at, `expected an integer, found ${JSON.stringify(text)}`);
    try {
      return type.read(new Parser(text, 0));
    } catch (error) {
      error.offset = at;
      throw error;
    }
  },
});

/** Numbers that are written as text too. */
export const wide = (type) => ({ ...loose(type), write: (value) => `"${value}"` });

/** Floats that may be given as null. */
export const orNaN = (type) => ({ ...type, read: (p) => (p.word("null") ? NaN : type.read(p)) });

/** A shape that may be null, and in a list is an empty value then. */
export const orEmpty = (type) => ({
  ...type,
  absent: () => null,
  write: (value) => (value === null ? (type.empty ?? "null") : type.write(value)),
  read: (p) => (p.word("null") ? null : type.read(p)),
});

export const base64 = { ...bytes, empty: '""' };
export const hex = {
  empty: '""',
  write: (value) => `"${Array.from(value, (byte) => byte.toString(16).padStart(2, "0")).join("")}"`,
  read(p) {
    p.peek();
    const at = p.at;
    const text = p.string();
    if (!/^(?:[\da-f]{2})*$/i.test(text)) bad(at, "not hexadecimal digits, two a byte");
    return Uint8Array.from(text.match(/../g) ?? [], (digits) => parseInt(digits, 16));
  },
};
export const byteArray = { ...list(loose(u8), (items) => Uint8Array.from(items)), empty: "[]" };
export const emptyText = (type) => ({ ...type, empty: '""' });
export const emptyList = (type) => ({ ...type, empty: "[]" });

/** Fields and arms: a name, a type, and `rules`: those of records, and the prefix of what is flattened (`flatten`). */
const prepare = ([name, type, rules = {}]) => ({ name, type, rules, key: rules.key ?? name });

/** When the null of a union's arm is written, which is a member of a record at other times. */
const ALWAYS = 1;
const EMPTY = 2;
/** As an empty value too, but for one of no bytes: another member tells which arm is active. */
const TOLD = 3;

function writeMember(out, prefix, { type, key, rules }, value, nulls, arm) {
  const flat = rules.flatten !== undefined && arm === undefined;
  if (flat && value !== null && value !== undefined) {
    type.members(value, prefix + rules.flatten, out);
    return;
  }
  const text = value === null || value === undefined ? nullText(type, nulls, flat) : type.write(value);
  if (text !== undefined) out.push(`${JSON.stringify(prefix + (arm ?? key))}:${text}`);
}

function nullText(type, nulls, flat) {
  if (nulls === ALWAYS || (nulls === undefined && type === nothing)) return "null";
  if (nulls === undefined || (nulls === TOLD && type === nothing)) return undefined;
  // An empty record has no members.
  return flat ? undefined : (type.empty ?? "null");
}

/** The members of an object, found before they are read: they come in any order. */
function findMembers(p) {
  const at = new Map();
  p.expect("{", "an object");
  for (let first = true; !p.closes("}", first); first = false) {
    const start = p.at;
    const key = p.string();
    p.expect(":", "`:`");
    p.peek();
    if (at.has(key)) framed(key, () => bad(start, "the field is given twice"));
    at.set(key, p.at);
    framed(key, () => p.skip(p.depth));
  }
  return { at, end: p.at };
}

/** Reads an object whose members are not just its fields. */
function readShaped(type, p) {
  const members = findMembers(p);
  const value = type.from(p, members, "");
  p.at = members.end;
  return value;
}

/** The value of a field or arm, where one of its members is given. */
function memberOf(p, field, members, prefix) {
  const { type, key, rules } = field;
  if (rules.flatten === undefined) return atKey(p, prefix + key, field, members);
  const inner = prefix + rules.flatten;
  return type.isGiven(members, inner, p.depth) ? type.from(p, members, inner) : undefined;
}

function atKey(p, key, field, members) {
  const at = members.at.get(key);
  if (at === undefined) return undefined;
  p.at = at;
  return framed(key, () => readField(p, field));
}

const isMemberGiven = ({ type, key, rules }, members, prefix, depth) => {
  if (rules.flatten !== undefined) return type.isGiven(members, prefix + rules.flatten, depth);
  return rules.unnamed ? type.isGiven(members, prefix, depth) : members.at.has(prefix + key);
};

/** Skips what a key that means nothing leads to. */
function skip(p, key, at, skipped) {
  if (skipped.has(key)) framed(key, () => bad(at, "the key is given twice"));
  skipped.add(key);
  p.expect(":", "`:`");
  framed(key, () => p.skip(p.depth));
}

/** Records: `of` makes one of its fields. A union without a name has the rule `unnamed`. */
export const shape = (of, fields) => {
  let known;
  const all = () => (known ??= fields().map(prepare));
  let places;
  const placeOf = (key) => {
    if (places === undefined) {
      const named = all().map((field, i) => [field.key, { i, field }]).filter(([, { field }]) => !field.rules.unnamed);
      const arms = all().flatMap((field, i) =>
        field.rules.unnamed ? field.type.arms().map((arm) => [arm.key, { i, field: arm, of: field.type.of }]) : [],
      );
      places = new Map([...arms.reverse(), ...named.reverse()]);
    }
    return places.get(key);
  };
  const type = {
    empty: "{}",
    isShaped: () => all().some(({ type, rules }) => rules.flatten !== undefined || (rules.unnamed && type.isShaped())),
    members(value, prefix, out) {
      let last;
      try {
        for (const field of all()) {
          last = field.rules.unnamed ? undefined : field.name;
          if (field.rules.unnamed) field.type.members(value[field.name], prefix, out);
          else writeMember(out, prefix, field, value[field.name]);
        }
      } catch (error) {
        throw last === undefined ? error : within(typed(error), last);
      }
    },
    write(value) {
      const out = [];
      type.members(value, "", out);
      return `{${out.join(",")}}`;
    },
    isGiven: (members, prefix, depth) =>
      depth > 0 && all().some((field) => isMemberGiven(field, members, prefix, depth - 1)),
    from(p, members, prefix) {
      p.enter(all().length);
      const values = all().map((field) => {
        const value = field.rules.unnamed ? field.type.from(p, members, prefix) : memberOf(p, field, members, prefix);
        return value === undefined ? absent(p, field) : value;
      });
      p.depth++;
      return of(...values);
    },
    read(p) {
      if (type.isShaped()) return readShaped(type, p);
      p.enter(all().length);
      p.expect("{", "an object");
      const values = new Array(all().length).fill(undefined);
      const given = values.slice();
      const skipped = new Set();
      for (let first = true; !p.closes("}", first); first = false) {
        const at = p.at;
        const key = p.string();
        const place = placeOf(key);
        if (place === undefined) {
          skip(p, key, at, skipped);
          continue;
        }
        if (given[place.i]) framed(key, () => bad(at, "the field, or another arm of the union, is given already"));
        given[place.i] = true;
        p.expect(":", "`:`");
        const value = framed(key, () => readField(p, place.field));
        values[place.i] = place.of === undefined ? value : place.of(place.field.tag, value);
      }
      all().forEach((field, i) => {
        if (!given[i]) values[i] = framed(field.key, () => absent(p, field));
      });
      p.depth++;
      return of(...values);
    },
  };
  return type;
};

/**
 * Unions: `of` makes one of a tag and the arm's value. An arm is its tag and a field. A member of its own may tell the arm's name
 * (`discriminator`: what it is called, and what the arm is called then); with `emptyArms` arms that are null are empty values.
 */
export const choice = (of, arms, { discriminator, emptyArms } = {}) => {
  let known;
  const all = () => (known ??= arms().map(([tag, ...field]) => ({ tag, ...prepare(field) })));
  const firstArm = (p, at) => {
    const arm = all().find(({ tag }) => tag === 0);
    return arm === undefined ? bad(at, "one member of the union must be given") : of(0, absent(p, arm));
  };
  const told = (p, members, prefix) => {
    const key = discriminator && prefix + discriminator[0];
    const at = members.at.get(key);
    if (at === undefined) return undefined;
    p.at = at;
    const name = framed(key, () => p.string());
    return all().find(({ key }) => key === name) ?? framed(key, () => bad(at, "no member of the union is called so"));
  };
  const type = {
    of,
    arms: all,
    empty: "{}",
    isShaped: () => discriminator !== undefined || all().some(({ rules }) => rules.flatten !== undefined),
    members(value, prefix, out) {
      const arm = all().find(({ name }) => name === value.which);
      if (arm === undefined) return;
      let nulls = arm.tag === 0 ? undefined : ALWAYS;
      if (emptyArms) nulls = EMPTY;
      if (discriminator) {
        nulls = TOLD;
        out.push(`${JSON.stringify(prefix + discriminator[0])}:${JSON.stringify(arm.key)}`);
      }
      try {
        writeMember(out, prefix, arm, value.value, nulls, discriminator?.[1]);
      } catch (error) {
        throw within(typed(error), arm.name);
      }
    },
    write(value) {
      const out = [];
      type.members(value, "", out);
      return `{${out.join(",")}}`;
    },
    isGiven: (members, prefix, depth) =>
      depth > 0 &&
      ((discriminator !== undefined && members.at.has(prefix + discriminator[0])) ||
        all().some((arm) => isMemberGiven(arm, members, prefix, depth - 1))),
    from(p, members, prefix) {
      const arm = told(p, members, prefix);
      if (arm !== undefined) {
        const name = discriminator[1];
        const value = name === undefined ? memberOf(p, arm, members, prefix) : atKey(p, prefix + name, arm, members);
        return of(arm.tag, value === undefined ? absent(p, arm) : value);
      }
      let found;
      for (const arm of all()) {
        const value = memberOf(p, arm, members, prefix);
        if (value === undefined) continue;
        if (found !== undefined) framed(arm.name, () => bad(members.end, "two members of one union are given"));
        found = of(arm.tag, value);
      }
      return found ?? firstArm(p, members.end);
    },
    read(p) {
      if (type.isShaped()) return readShaped(type, p);
      p.peek();
      const start = p.at;
      p.expect("{", "an object");
      let found;
      const skipped = new Set();
      for (let first = true; !p.closes("}", first); first = false) {
        const at = p.at;
        const key = p.string();
        const arm = all().find((arm) => arm.key === key);
        if (arm === undefined) {
          skip(p, key, at, skipped);
          continue;
        }
        if (found !== undefined) framed(key, () => bad(at, "one member of a union was given already"));
        p.expect(":", "`:`");
        found = of(arm.tag, framed(key, () => readField(p, arm)));
      }
      return found ?? firstArm(p, start);
    },
  };
  return type;
};
