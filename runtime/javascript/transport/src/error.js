/** The codes of NACK, CLOSE, UNSUBSCRIBE and REPLY in the order of their numbers. */
const NAMES = [
  "normal", "protocol", "frame-too-large", "version", "unauthorized", "too-many-connections", "idle", "slow", "draining", "gap",
  "bad-checksum", "bad-count", "refused", "handler", "credit", "stale-epoch", "deadline", "unsupported", "unavailable", "superseded",
];

const FATAL = new Set([
  "protocol", "frame-too-large", "version", "unauthorized", "stale-epoch", "unsupported", "superseded", "closed", "misused",
]);

export const codeName = (number) => NAMES[number] ?? `code ${number}`;

/** The number on the wire; what only this side knows is `normal` there. */
export const codeNumber = (name) => {
  const other = /^code (\d+)$/.exec(name);
  return other === null ? Math.max(NAMES.indexOf(name), 0) : Number(other[1]);
};

/** Whether connecting again cannot help: docs/protocol.md, "Endings". */
export const isFatal = (name) => FATAL.has(name);

/** Why something failed: a code of docs/protocol.md, or `disconnected`, `closed`, `misused`, `full`. */
export class TransportError extends Error {
  name = "TransportError";

  constructor(code, text = "") {
    super(text === "" ? code : `${code}: ${text}`);
    this.code = code;
    this.text = text;
  }
}
