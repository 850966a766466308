import { defaultLimits, frame } from "./frame.js";

// Views: messages that were checked, whose fields are read when they are asked for. Reading calls nobody's code, so that each takes the
// one frame for itself.

/** More charge and levels than what was checked takes; as a small number, as engines keep those of other messages. */
const PLENTY = 2 ** 30 - 1;

/** The fields that a view holds of the frame of its message. */
export const hold = ({ b, v, start, end, first, left }) => ({ b, v, start, end, first, left });

/** Makes the frame that of a view's message. */
export function look(held) {
  const f = frame;
  f.b = held.b;
  f.v = held.v;
  f.buffer = held.b.buffer;
  f.start = held.start;
  f.end = held.end;
  f.first = held.first;
  f.left = held.left;
  f.depth = PLENTY;
  f.surcharge = false;
  return f;
}

/** The view that `open` makes of a message that bytes begin with; of one that is not as it usually is, its value. */
export function view(verify, decode, open, bytes, limits = defaultLimits) {
  verify(bytes, limits);
  const f = frame;
  if (!f.usual) return decode(bytes, limits);
  // Of packed words there are more than bytes.
  f.left = Math.max(PLENTY, limits.budgetFactor * Math.max(bytes.length, f.end - f.start) + limits.budgetBase);
  f.depth = PLENTY;
  return open(f, f.start);
}
