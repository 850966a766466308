export { CodecError } from "./error.js";
export { Decimal } from "./decimal.js";
export { Opaque } from "./opaque.js";
export { defaultLimits, referenceLimits } from "./frame.js";

/** The moment of a timestamp, whose nanoseconds below a millisecond a Date has no room for. */
export const toDate = (nanoseconds) => new Date(Number(nanoseconds / 1_000_000n));

/** The timestamp of a Date. */
export const fromDate = (date) => BigInt(date.getTime()) * 1_000_000n;
