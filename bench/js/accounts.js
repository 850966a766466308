// Three tables and a plot of what bench/account's programs said.
//   node accounts.js FILE TURNS DOCS
import { readFileSync, writeFileSync } from "node:fs";
import * as Plot from "@observablehq/plot";
import { JSDOM } from "jsdom";

const [file, turns, docs] = process.argv.slice(2);
const LANGUAGES = { cpp: "C++", java: "Java", csharp: "C#", javascript: "JavaScript", erlang: "Erlang", elixir: "Elixir", python: "Python" };
const FORMS = { standard: "FBE", final: "FBE Final", json: "JSON" };
const OPERATIONS = ["serialize", "deserialize", "verify"];

/** The best of all processes, and the median of the rounds of the best one. */
const found = new Map();
for (const line of readFileSync(file, "utf8").trim().split("\n")) {
  const [language, operation, form, bytes, best, median] = line.split(" ");
  const key = [operation, language, form].join(" ");
  if (!(found.get(key)?.best <= Number(best))) {
    found.set(key, { operation, language, form, bytes: Number(bytes), best: Number(best), median: Number(median) });
  }
}
const rows = [...found.values()];

const cell = (text, i) => (i === 0 ? text.padEnd(14) : text.padStart(12));
const line = (cells) => cells.map(cell).join("").trimEnd();
const whole = (number) => Math.round(number).toLocaleString("en-US");

function table(operation) {
  const lines = [];
  for (const [form, title] of Object.entries(FORMS)) {
    const these = Object.keys(LANGUAGES).map((language) => found.get([operation, language, form].join(" "))).filter(Boolean);
    if (these.length === 0) continue;
    lines.push(line([`${title}, ${these[0].bytes} bytes`.padEnd(26), "best ns", "median ns", "messages/s"]));
    for (const { language, best, median } of these) {
      lines.push(line([`  ${LANGUAGES[language]}`.padEnd(26), best.toFixed(best < 100 ? 1 : 0), median.toFixed(median < 100 ? 1 : 0), whole(1e9 / best)]));
    }
  }
  return `${operation[0].toUpperCase()}${operation.slice(1)}\n${lines.join("\n")}`;
}

const load = readFileSync("/proc/loadavg", "utf8").split(" ")[0];
const text = `The account of FBE's README (three orders), by generated code: the best of ${turns} processes of each language, by turns, and the median of
its 25 rounds. C++, Java and C# write into memory that is there; C++ reads into an object that is there, the others into new ones. JSON
is read and written as the language's text, in Java and C# read as UTF-8. The BEAM's codecs check while they decode, so verify has no row.

${OPERATIONS.map(table).join("\n\n")}

Load of the machine at the end: ${load}
`;
writeFileSync(`${docs}/account.txt`, text);
writeFileSync(`${docs}/account.json`, `${JSON.stringify({ turns: Number(turns), rows }, null, 1)}\n`);
process.stdout.write(text);

const bars = rows.map((row) => ({ ...row, what: `${row.operation}, ${FORMS[row.form]}`, name: LANGUAGES[row.language] }));
const { document } = new JSDOM("").window;
const plot = Plot.plot({
  document,
  width: 800,
  height: 100 + 120 * new Set(bars.map((bar) => bar.what)).size,
  marginLeft: 90,
  marginRight: 160,
  style: "background: white; font-family: sans-serif",
  x: { type: "log", inset: 30, label: "nanoseconds a message (less is better)", grid: true, tickFormat: ",d" },
  y: { label: null, domain: Object.values(LANGUAGES).filter((name) => bars.some((bar) => bar.name === name)) },
  fy: { label: null, domain: OPERATIONS.flatMap((operation) => Object.values(FORMS).map((form) => `${operation}, ${form}`)).filter((what) => bars.some((bar) => bar.what === what)) },
  marks: [
    Plot.dot(bars, { x: "best", y: "name", fy: "what", r: 4, fill: "#4a6fa5" }),
    Plot.text(bars, { x: "best", y: "name", fy: "what", text: (bar) => bar.best.toFixed(0), dx: 8, textAnchor: "start", fontSize: 10 }),
  ],
});
plot.setAttribute("xmlns", "http://www.w3.org/2000/svg");
writeFileSync(`${docs}/account.svg`, `${plot.outerHTML}\n`);
