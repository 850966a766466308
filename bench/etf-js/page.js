// The same races inside a browser; posts its results to the server that bench.js runs.
import { check, decoding, encoding } from "./contestants.js";
import { race } from "./harness.js";
import { pace } from "./pace.js";

const ROUNDS = 15;
const SAMPLE_MS = 8;

const results = { agent: navigator.userAgent, decode: [], encode: [], pace: [] };
const decodes = decoding();
for (const one of decodes) results.pace.push({ load: one.load.name, ...(await pace(one)) });
for (const one of decodes) {
  check(one);
  results.decode.push({ load: one.load.name, rows: race(one.contestants, ROUNDS, SAMPLE_MS) });
}
for (const one of encoding()) results.encode.push({ load: one.load.name, rows: race(one.contestants, ROUNDS, SAMPLE_MS) });
await fetch("/results", { method: "POST", body: JSON.stringify(results) });
