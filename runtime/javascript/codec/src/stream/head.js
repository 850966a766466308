/** The segments that a message of Cap'n Proto has at most. */
export const MOST_SEGMENTS = 511;

/** The answer of `look`: so many bytes are needed to say more (`more`), the frame takes so many (`known`), or it cannot be one. */
export const more = (size) => ({ is: "more", size });
export const known = (size) => ({ is: "known", size });
export const broken = (code, size, bound) => ({ is: code, size, bound });

/** An unsigned integer of `width` bytes; one beyond what a number holds exactly is longer than any frame. */
export function load(b, at, width, little) {
  let value = 0;
  for (let i = 0; i < width; i++) value = value * 256 + b[little ? at + width - 1 - i : at + i];
  return value;
}

export function store(b, at, width, little, value) {
  for (let i = 0; i < width; i++) {
    b[little ? at + i : at + width - 1 - i] = value % 256;
    value = Math.floor(value / 256);
  }
}

/** Bytes of the table of segments of a message that has so many. */
export const tableSize = (segments) => 8 * (Math.floor(segments / 2) + 1);

/** Words of all segments, going by the table. */
export function segmentWords(b, segments) {
  let words = 0;
  for (let segment = 1; segment <= segments; segment++) words += load(b, 4 * segment, 4, true);
  return words;
}
