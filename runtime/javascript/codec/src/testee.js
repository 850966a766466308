import { createInterface } from "node:readline";
import { CodecError, pathText } from "./error.js";

const hexOf = (bytes) => Buffer.from(bytes).toString("hex");

class Refusal extends Error {}
class Malformed extends Error {}

/**
 * Answers requests of the testee protocol until standard input ends. A program has `list`, lines of `NAME ID`; `forms`, by name
 * `{ identify(bytes), decode: { NAME: function }, view: { NAME: function }, encode: { NAME: function }, header: NAME }`; and by message's name what writes and
 * reads its JSON, `toJson` and `fromJson`.
 */
export async function answer(program) {
  for await (const line of createInterface({ input: process.stdin, crlfDelay: Infinity })) {
    process.stdout.write(`${reply(program, line)}\n`);
  }
}

/** The answer to one line. */
export function reply(program, line) {
  const fields = line.split("\t");
  const id = fields[0];
  try {
    return `${id}\tok\t${hexOf(result(program, fields))}`;
  } catch (error) {
    if (error instanceof Malformed) return `-\terror\tbad-request\t-\t${error.message}`;
    if (error instanceof Refusal) return `${id}\tunsupported\t${error.message}`;
    if (!(error instanceof CodecError)) return `${id}\terror\tescaped\t-\t${String(error.stack).replaceAll(/\s+/g, " ")}`;
    const path = pathText(error.path);
    const place = path === "" ? "" : `${path}: `;
    const words = `${place}${error.detail || error.code}`.replaceAll(/[\t\r\n]/g, " ");
    return `${id}\terror\t${error.code}\t${error.offset ?? "-"}\t${words}`;
  }
}

function identified({ identify }, bytes) {
  if (identify === undefined) throw new CodecError("unknown-message", null, [], "messages of this form do not say what they are");
  return identify(bytes);
}

/** The value of a message, or its view. What has no view is checked: then decoding finds no fault in it. */
function decoded({ verify, decode, view }, name, bytes, isView) {
  if (!isView) return decode[name](bytes);
  if (Object.hasOwn(view, name)) return view[name](bytes);
  verify[name](bytes);
  try {
    return decode[name](bytes);
  } catch (error) {
    throw new Error(`what was verified is refused: ${error.message}`);
  }
}

function result(program, fields) {
  if (fields.length === 2 && fields[1] === "list") return Buffer.from(program.list);
  if (fields.length !== 6 || (fields[1] !== "convert" && fields[1] !== "view")) {
    throw new Malformed("expected ID list, or ID convert|view MESSAGE FROM TO HEX, between TABs");
  }
  const [, , message, from, to, hex] = fields;
  if (!/^(?:[0-9a-f]{2})*$/i.test(hex)) throw new Malformed("HEX is not an even number of hex digits");
  for (const form of [from, to]) {
    if (form !== "json" && !Object.hasOwn(program.forms, form)) throw new Refusal(`this schema has no form ${form}`);
  }
  const bytes = Uint8Array.from(Buffer.from(hex, "hex"));
  if (message === "-" && from === "json") throw new Refusal("JSON does not say which message it is");
  const name = message === "-" ? identified(program.forms[from], bytes) : message;
  if (!Object.hasOwn(program.toJson, name)) throw new CodecError("unknown-message", null, [], `the schema has no message ${name}`);
  const value = from === "json" ? program.fromJson[name](bytes) : decoded(program.forms[from], name, bytes, fields[1] === "view");
  if (to === "json") return Buffer.from(program.toJson[name](value));
  const { header, decode, encode } = program.forms[to];
  // Forms with heads of their own have no other form to be converted to.
  const beside = header === undefined || header === name || from === "json" ? null : decode[header](bytes);
  return encode[name](value, beside);
}
