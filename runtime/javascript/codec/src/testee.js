import { createInterface } from "node:readline";
import { CodecError, pathText } from "./error.js";

const hexOf = (bytes) => Buffer.from(bytes).toString("hex");

class Refusal extends Error {}
class Malformed extends Error {}

/**
 * Answers requests of the testee protocol until standard input ends. A program has `list`, lines of `NAME ID`; `forms`, by name
 * `{ identify(bytes), decode: { NAME: function } }`; and `json`, by message's name what writes it.
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

function result(program, fields) {
  if (fields.length === 2 && fields[1] === "list") return Buffer.from(program.list);
  if (fields.length !== 6 || (fields[1] !== "convert" && fields[1] !== "view")) {
    throw new Malformed("expected ID list, or ID convert|view MESSAGE FROM TO HEX, between TABs");
  }
  const [, , message, from, to, hex] = fields;
  if (!/^(?:[0-9a-f]{2})*$/i.test(hex)) throw new Malformed("HEX is not an even number of hex digits");
  if (!Object.hasOwn(program.forms, from)) throw new Refusal(`messages of form ${from} cannot be read`);
  if (to !== "json") throw new Refusal("messages cannot be written yet");
  const form = program.forms[from];
  const bytes = Uint8Array.from(Buffer.from(hex, "hex"));
  const name = message === "-" ? form.identify(bytes) : message;
  if (!Object.hasOwn(form.decode, name)) throw new CodecError("unknown-message", null, [], `the schema has no message ${name}`);
  return Buffer.from(program.json[name](form.decode[name](bytes)));
}
