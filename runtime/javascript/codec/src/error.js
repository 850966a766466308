/**
 * A fault in bytes, JSON or a value: a code, where it was seen, and the path of the field.
 *
 * The message is `bad-count at byte 242 in orders[2].symbol`.
 */
export class CodecError extends Error {
  // A field: where prototypes are frozen, it cannot be assigned.
  name = "CodecError";

  constructor(code, offset, path = [], detail = "") {
    super();
    this.code = code;
    this.offset = offset;
    this.path = path;
    this.detail = detail;
    // Made when asked for: the path grows while the fault leaves what it is in.
    Object.defineProperty(this, "message", { get: () => sentence(this), enumerable: false });
  }
}

/** The path as people write it: `orders[2].symbol`. */
export function pathText(path) {
  let text = "";
  for (const step of path) text += typeof step === "number" ? `[${step}]` : text === "" ? step : `.${step}`;
  return text;
}

function sentence(error) {
  const at = error.offset === null ? "" : ` at byte ${error.offset}`;
  const within = error.path.length === 0 ? "" : ` in ${pathText(error.path)}`;
  return `${error.code}${at}${within}${error.detail === "" ? "" : `: ${error.detail}`}`;
}

/** Puts a field's name or an element's index before the path of a fault that leaves it. */
export function within(error, step) {
  if (error instanceof CodecError) error.path.unshift(step);
  return error;
}
