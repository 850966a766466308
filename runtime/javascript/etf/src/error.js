/**
 * Bytes that are no term this package reads, or a value it cannot write. `code` is one of the names in index.d.ts,
 * where each is explained; `offset` is the byte where reading or writing stopped.
 */
export class EtfError extends Error {
  constructor(code, offset, detail = "") {
    super(`${code} at byte ${offset}${detail}`);
    this.name = "EtfError";
    this.code = code;
    this.offset = offset;
  }
}

/** Throws an EtfError. */
export function fail(code, offset, detail) {
  throw new EtfError(code, offset, detail);
}
