// Terms for which JavaScript has no value of its own.

// Atoms of one name are one object as long as anybody holds it, so that they can be compared, and be keys of a Map. Names
// nobody holds any more take no memory: a hostile peer cannot fill a table with them.
const atoms = new Map();
const forgotten = new FinalizationRegistry((name) => {
  if (atoms.get(name)?.deref() === undefined) atoms.delete(name);
});

let making = false;

/** An Erlang atom; `atom(name)` gives the one of a name. */
export class Atom {
  constructor(name) {
    if (!making) throw new TypeError("use atom(name)");
    this.name = name;
    Object.freeze(this);
  }

  toString() {
    return this.name;
  }

  toJSON() {
    return this.name;
  }
}

const VALUES = new Set(["nil", "true", "false"]);

/** The atom of a name. nil, true and false are null, true and false. */
export function atom(name) {
  if (typeof name !== "string" || [...name].length > 255 || /\p{Surrogate}/u.test(name)) throw new TypeError("an atom's name: up to 255 characters");
  if (VALUES.has(name)) throw new TypeError("nil, true and false are null, true and false");
  const known = atoms.get(name)?.deref();
  if (known) return known;
  making = true;
  const made = new Atom(name);
  making = false;
  atoms.set(name, new WeakRef(made));
  forgotten.register(made, name);
  return made;
}

/** An Erlang tuple: an array of its elements. */
export class Tuple extends Array {
  // The result of a tuple's map, filter and slice is an array.
  static get [Symbol.species]() {
    return Array;
  }
}

/** A tuple of these elements. */
export function tuple(...elements) {
  return Tuple.from(elements);
}

/** A list that ends in `tail` instead of the empty list. */
export class ImproperList {
  constructor(items, tail) {
    this.items = items;
    this.tail = tail;
  }
}

/** A number that is written as a float though it is whole: `new Float(1)` is 1.0. */
export class Float {
  constructor(value) {
    this.value = value;
  }
}

/** A pid, port or reference: nothing but a value that goes back to where it came from. */
export class Opaque {
  #bytes;

  constructor(kind, node, bytes) {
    this.kind = kind;
    this.node = node;
    this.#bytes = bytes;
    Object.freeze(this);
  }

  /** The term it came as, without a version byte. */
  get bytes() {
    return this.#bytes.slice();
  }

  /** Whether both came as the same bytes. */
  equals(other) {
    return other instanceof Opaque && String(this) === String(other);
  }

  toString() {
    return `#${this.kind}<${this.node} ${Array.from(this.#bytes, (byte) => byte.toString(16).padStart(2, "0")).join("")}>`;
  }
}
