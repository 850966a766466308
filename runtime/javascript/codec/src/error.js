/**
 * A fault in bytes, JSON or a value: a code, where it was seen, and the path of the field.
 *
 * The message is `bad-count at byte 242 in orders[2].symbol`.
 */
export class CodecError extends Error {
  // A field: where prototypes are frozen, it cannot be assigned.
  name = "CodecError";

  constructor(code, offset, path = [], detail = "", shown = "", cause) {
    super("", cause && { cause });
    this.code = code;
    this.offset = offset;
    this.path = path;
    this.detail = detail;
    // The text of the value at fault, which `detail` holds, if it does.
    Object.defineProperty(this, "shown", { value: shown, writable: true });
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

/** A fault that leaves a hidden field: neither its words nor its cause show the value. */
export function concealed(error) {
  if (error instanceof CodecError && error.shown !== "") {
    error.detail = error.cause === undefined ? error.detail.replace(error.shown, "***") : MISTYPED;
    error.shown = "";
    delete error.cause;
  }
  return error;
}

const MISTYPED = "the value is not of the field's type";

/** The fault for an error that the language throws where a value is of another type than its field: it is the cause. */
export function typed(error) {
  const isTyped = error instanceof TypeError || error instanceof RangeError || error instanceof SyntaxError;
  return isTyped ? new CodecError("bad-value", null, [], `${MISTYPED}: ${error.message}`, error.message || " ", error) : error;
}
