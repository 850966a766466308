/**
 * Bytes that are no term this package reads, or a value it cannot write.
 * `code` is one of the names listed in index.d.ts; `offset` is the byte where reading (or writing) stopped.
 */
export class EtfError extends Error {
  constructor(code, offset, message) {
    super(`${message} (byte ${offset})`);
    this.name = "EtfError";
    this.code = code;
    this.offset = offset;
  }
}
