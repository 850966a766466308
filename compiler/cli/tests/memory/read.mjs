// Reads one message and prints its verdict.
import { readFileSync } from "node:fs";
import { CodecError } from "@aldis/codec";

const [name, message, call, file] = process.argv.slice(2);
const module = await import(`./${name}${call === "json" ? "_json" : ""}.js`);
const called = { decode: `decode${message}`, final: `decode${message}Final`, json: `${message.toLowerCase()}FromJson` }[call];
const bytes = readFileSync(file);
let verdict = "ok";
try {
  module[called](call === "json" ? bytes.toString() : bytes);
} catch (error) {
  if (!(error instanceof CodecError)) throw error;
  verdict = error.code;
}
process.stdout.write(verdict);
