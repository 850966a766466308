import { MOST_SEGMENTS, broken, known, load, more, segmentWords, store, tableSize } from "./head.js";
import { PackedWalk } from "./packed.js";

/**
 * A length of `bits` at byte `at`, in front of each message or in it. It counts the frame but for `added` bytes of it; the first `skip`
 * bytes are not the message's, and `least` is the least size of a frame. Where messages say at which byte of the stream their record
 * begins, that lies at `root`.
 */
class Length {
  constructor({ at = 0, bits, order = "little", skip = 0, added = 0, least = 0, encoding, root }) {
    if (![8, 16, 32, 64].includes(bits) || !(at >= 0) || !["little", "big"].includes(order)) {
      throw new TypeError("a length has `at` in bytes, `bits` of 8, 16, 32 or 64, and an `order` of little or big");
    }
    const width = bits / 8;
    const head = Math.max(at + width, skip);
    Object.assign(this, { at, width, little: order === "little", skip, added, head, least: Math.max(least, head), encoding, root });
    // The longest message that the length can say.
    this.longest = skip === 0 ? Infinity : 2 ** bits - 1 - skip + added;
  }

  look(b) {
    if (b.length < this.head) return more(this.head);
    const size = load(b, this.at, this.width, this.little) + this.added;
    return size < this.least ? broken("frame-too-small", size, this.least) : known(size);
  }

  restart() {}

  /** Writes what stands in front of a message of that size. */
  put(b, at, size) {
    if (this.skip === 0) return;
    store(b, at, this.width, this.little, size + this.skip - this.added);
    if (this.encoding !== undefined) store(b, at + 4, 2, false, this.encoding);
  }

  /** Adds to where the message says that its record begins; false where the place cannot be said. */
  moveRoot(b, by) {
    if (this.root === undefined || b.length < this.root + 4) return true;
    const root = load(b, this.root, 4, this.little) + by;
    if (root < 0 || root >= 2 ** 32) return false;
    store(b, this.root, 4, this.little, root);
    return true;
  }
}

/** Each message begins with the table of its segments. */
class Table {
  skip = 0;
  longest = Infinity;

  look(b) {
    if (b.length < 4) return more(4);
    const segments = load(b, 0, 4, true) + 1;
    if (segments > MOST_SEGMENTS) return broken("too-many-segments", segments, MOST_SEGMENTS);
    const table = tableSize(segments);
    return b.length < table ? more(table) : known(table + 8 * segmentWords(b, segments));
  }

  restart() {}
  put() {}
  moveRoot() {
    return true;
  }
}

const prefix = (bits, order) => () => new Length({ bits, order, skip: bits / 8, added: bits / 8 });

const FBE = { bits: 32, least: 8 };

/** By name. Forms say what is theirs: the place of a length in their messages, and whether segments are packed. */
const KNOWN = {
  u16le: prefix(16, "little"),
  u16be: prefix(16, "big"),
  u32le: prefix(32, "little"),
  u32be: prefix(32, "big"),
  // Encoding types of SBE 1.0, little and big endian; receivers do not look at them.
  sofh: ({ big = false }) => new Length({ bits: 32, order: "big", skip: 6, encoding: big ? 0x5be0 : 0xeb50 }),
  fbe: ({ own = FBE }) => new Length(own),
  "fbe-buffer": ({ own, root }) => (own === undefined ? new Length({ ...FBE, root: 4 }) : root !== undefined && new Length({ ...own, root })),
  header: ({ header }) => header !== undefined && new Length(header),
  capnp: ({ packed = false }) => (packed ? new PackedWalk() : new Table()),
  "capnp-packed": () => new PackedWalk(),
};

/** The framing of that name, or a length in messages, for messages of a form. */
export function framingOf(framing, form = {}) {
  if (typeof framing === "object" && framing !== null) return new Length(framing);
  const found = Object.hasOwn(KNOWN, framing) && KNOWN[framing](form);
  if (found) return found;
  throw new TypeError(`these messages have no framing ${String(framing)}: there are ${Object.keys(KNOWN).join(", ")}, and a length's place`);
}
