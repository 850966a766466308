/** Thrown where a message is not as it usually is. The routine's table says then what it is. */
export const UNUSUAL = Object.freeze({});

export function refuse() {
  throw UNUSUAL;
}

export function charge(f, amount) {
  if ((f.left -= amount) < 0) refuse();
}

/** The message ends where its head says. */
export function bound(f, size, head) {
  if (size > f.end - f.start || size < head) refuse();
  f.end = f.start + size;
}
