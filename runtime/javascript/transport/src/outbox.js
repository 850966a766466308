import { ENTRY_HEAD } from "./frame.js";

/** Bytes that a chunk begins with; they double. */
const FIRST_ROOM = 4096;

/** Entries in the order of their sequences. */
class Chunk {
  count = 0;
  size = 0;

  constructor(room) {
    this.memory = Buffer.allocUnsafe(room);
  }

  push(message) {
    const size = this.size + ENTRY_HEAD + message.length;
    if (size > this.memory.length) {
      const more = Buffer.allocUnsafe(Math.max(size, 2 * this.memory.length));
      this.memory.copy(more, 0, 0, this.size);
      this.memory = more;
    }
    this.memory.writeUInt32LE(message.length, this.size);
    this.memory.set(message, this.size + ENTRY_HEAD);
    this.size = size;
    this.count++;
  }
}

/** A place is a chunk by its index, the number of entries in it that lie before, and the byte at which the next one begins. */
const START = Object.freeze({ chunk: 0, offset: 0, count: 0 });

/**
 * The messages that a producer has sent and that are not yet acked: kept to be sent again. Sequences count from 1 over all that was ever
 * appended. Invariant: `acked < next <= appended + 1`, and `next` is the sequence at `nextPlace`.
 */
export class Outbox {
  appended = 0;
  acked = 0;
  /** Bytes of entries that are kept, sizes included. */
  keptBytes = 0;
  #batchBytes;
  #chunks = [];
  #open;
  #next = 1;
  #ackedPlace = START;
  #nextPlace = START;
  #sentBytes = 0;

  /** A chunk is closed when it has `batchBytes` of entries. */
  constructor(batchBytes) {
    this.#batchBytes = batchBytes;
  }

  /** The messages up to `last` are acked already. Only while empty. */
  beginAfter(last) {
    this.acked = this.appended = last;
    this.#next = last + 1;
  }

  /** Takes a message and gives its sequence. */
  append(message) {
    this.#open ??= new Chunk(Math.min(this.#batchBytes, FIRST_ROOM) + ENTRY_HEAD + message.length);
    this.#open.push(message);
    this.keptBytes += ENTRY_HEAD + message.length;
    this.appended++;
    if (this.#open.size >= this.#batchBytes) this.closeChunk();
    return this.appended;
  }

  /** Closes the chunk that is being filled, so that `next` gives it. */
  closeChunk() {
    if (this.#open === undefined) return;
    this.#chunks.push(this.#open);
    this.#open = undefined;
  }

  /** Whether `next` has something to give, credit allowing. */
  get hasNext() {
    return this.#nextPlace.chunk < this.#chunks.length;
  }

  /** Whether messages wait in a chunk that is not closed. */
  get hasOpen() {
    return this.#open !== undefined;
  }

  /** The last sequence that `next` has given since the last rewind. */
  get sent() {
    return this.#next - 1;
  }

  /** The next entries to send: of one chunk, as many as the credit and a frame's size allow; none when not even one. */
  next(credit, frameEntries) {
    const chunk = this.#chunks[this.#nextPlace.chunk];
    if (chunk === undefined) return undefined;
    const begin = this.#nextPlace;
    const outstanding = this.#next - this.acked - 1;
    const messages = credit.messages - outstanding;
    const bytes = Math.min(credit.bytes - this.#sentBytes, frameEntries);
    let end = { ...begin, offset: chunk.size, count: chunk.count };
    if (end.count - begin.count > messages || end.offset - begin.offset > bytes) end = fittingEnd(chunk, begin, messages, bytes);
    // A single entry may always be sent when nothing is outstanding.
    if (end.count === begin.count && outstanding === 0) end = afterEntry(chunk, begin);
    const count = end.count - begin.count;
    if (count === 0) return undefined;
    const first = this.#next;
    this.#sentBytes += end.offset - begin.offset;
    this.#next += count;
    this.#nextPlace = normal(chunk, end);
    return { first, count, entries: chunk.memory.subarray(begin.offset, end.offset) };
  }

  /** Forgets all up to `sequence`, which must be in closed chunks; less than before does nothing. */
  ack(sequence) {
    let left = sequence - this.acked;
    if (left <= 0) return;
    let gone = 0;
    while (left > 0 && gone < this.#chunks.length) {
      const chunk = this.#chunks[gone];
      const whole = chunk.count - this.#ackedPlace.count;
      if (whole <= left) {
        left -= whole;
        this.#forget(chunk.size - this.#ackedPlace.offset);
        this.#ackedPlace = START;
        gone++;
      } else {
        const after = afterEntry(chunk, this.#ackedPlace);
        this.#forget(after.offset - this.#ackedPlace.offset);
        this.#ackedPlace = { ...after, chunk: 0 };
        left--;
      }
    }
    this.#chunks.splice(0, gone);
    this.#nextPlace = gone > this.#nextPlace.chunk ? START : { ...this.#nextPlace, chunk: this.#nextPlace.chunk - gone };
    this.acked = sequence;
    if (this.#next <= sequence) this.#restart();
  }

  /** Sends again from `sequence` on, or from what is not acked. */
  rewind(sequence) {
    if (sequence >= this.#next) return;
    this.#restart();
    while (this.#next < sequence) {
      const chunk = this.#chunks[this.#nextPlace.chunk];
      const after = afterEntry(chunk, this.#nextPlace);
      this.#sentBytes += after.offset - this.#nextPlace.offset;
      this.#nextPlace = normal(chunk, after);
      this.#next++;
    }
  }

  #restart() {
    this.#next = this.acked + 1;
    this.#nextPlace = this.#ackedPlace;
    this.#sentBytes = 0;
  }

  #forget(bytes) {
    this.keptBytes -= bytes;
    this.#sentBytes = Math.max(this.#sentBytes - bytes, 0);
  }
}

function afterEntry({ memory }, place) {
  const size = ENTRY_HEAD + memory.readUInt32LE(place.offset);
  return { ...place, offset: place.offset + size, count: place.count + 1 };
}

/** The end of a chunk is the begin of the next. */
const normal = (chunk, place) => (place.count === chunk.count ? { ...START, chunk: place.chunk + 1 } : place);

function fittingEnd(chunk, begin, messages, bytes) {
  let end = begin;
  while (end.count < chunk.count && end.count - begin.count < messages) {
    const after = afterEntry(chunk, end);
    if (after.offset - begin.offset > bytes) break;
    end = after;
  }
  return end;
}
