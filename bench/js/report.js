// Tables and a plot of what one.js said.
//   node report.js FOLDER TURNS DOCS
import { execFileSync } from "node:child_process";
import { readFileSync, statSync, writeFileSync } from "node:fs";
import * as Plot from "@observablehq/plot";
import { JSDOM } from "jsdom";

const [folder, turns, docs] = process.argv.slice(2);
const NAMES = { account: "FBE account", final: "FBE Final account", trade: "SBE trade", book: "Cap'n Proto address book of 50" };
const LABELS = {
  generated: "generated", view: "  and a field by its view", floor: "by hand", json: "JSON", model: "model over a buffer", protobufjs: "protobufjs 8.8.1", "protobuf-es": "protobuf-es 2.17.0", "capnp-es": "capnp-es 0.0.16",
};

/** Best of all processes, and the median of the rounds of the best one. */
const times = new Map();
for (const line of readFileSync(`${folder}/times`, "utf8").trim().split("\n")) {
  const [engine, contestant, message, way, best, median] = line.split(" ");
  const key = [engine, way, message, contestant].join(" ");
  const before = times.get(key);
  if (before === undefined || Number(best) < before.best) times.set(key, { engine, way, message, contestant, best: Number(best), median: Number(median) });
}

const version = (command, ...args) => execFileSync(command, args, { encoding: "utf8", stdio: ["ignore", "pipe", "ignore"] }).trim();
const engines = [...new Set([...times.values()].map((time) => time.engine))];
const titles = { node: `Node ${process.versions.node}`, chromium: engines.includes("chromium") ? version(process.env.CHROMIUM ?? "chromium", "--version").replace(/ built .*/, "") : "" };

const row = (cells) => cells.map((cell, i) => (i === 0 ? cell.padEnd(34) : cell.padStart(9))).join("").trimEnd();

function table(engine) {
  const lines = [row([titles[engine], "decode", "median", "ours is", "encode", "median", "ours is", "verify", "median", "ours is"])];
  for (const message of Object.keys(NAMES)) {
    const { size } = statSync(`${folder}/${message}.bin`);
    lines.push(`${NAMES[message]}, ${size} bytes`);
    for (const [contestant, label] of Object.entries(LABELS)) {
      const cells = ["decode", "encode", "verify"].flatMap((way) => {
        const found = times.get([engine, way, message, contestant].join(" "));
        if (found === undefined) return ["", "", ""];
        const ours = times.get([engine, way, message, "generated"].join(" "));
        const ratio = ["generated", "view"].includes(contestant) ? "" : contestant === "floor" ? `${(ours.best / found.best).toFixed(2)} of` : `${(found.best / ours.best).toFixed(1)} x`;
        return [found.best.toFixed(0), found.median.toFixed(0), ratio];
      });
      if (cells.some((cell) => cell !== "")) lines.push(row([`  ${label}`, ...cells]));
    }
  }
  return lines.join("\n");
}

const head = `Nanoseconds a message: the best of ${turns} processes of each contestant by turns, and the median of its 25 rounds. "Ours is" has the time of
generated code as a part of that by hand, and how many times as long the others take. By hand nothing is checked that could be left out.
"Verify" checks a message without making values; a view checks it and then reads one field (of the book: all people). The model over a
buffer is of our own writing, in the style of FBE's generated code.
`;
const load = readFileSync("/proc/loadavg", "utf8").split(" ")[0];
const text = [head, ...engines.map(table)].join("\n") + `\n\nLoad of the machine at the end: ${load}\n`;
writeFileSync(`${docs}/js.txt`, text);
process.stdout.write(text);

const bars = [...times.values()]
  .filter(({ message, way }) => message === "account" && way !== "verify")
  .map(({ engine, way, contestant, best }) => ({ what: `${titles[engine]}, ${way}`, contestant: LABELS[contestant], best }));
const { document } = new JSDOM("").window;
const plot = Plot.plot({
  document,
  width: 800,
  height: 120 + 150 * new Set(bars.map((bar) => bar.what)).size,
  marginLeft: 150,
  marginRight: 190,
  style: "background: white; font-family: sans-serif",
  x: { type: "log", inset: 30, label: "nanoseconds, an FBE account of 252 bytes (less is better)", grid: true, tickFormat: ",d" },
  y: { label: null, domain: [...new Set(bars.map((bar) => bar.contestant))] },
  fy: { label: null },
  marks: [
    Plot.dot(bars, { x: "best", y: "contestant", fy: "what", r: 5, fill: (bar) => (bar.contestant === LABELS.generated ? "#b3261e" : "#4a6fa5") }),
    Plot.text(bars, { x: "best", y: "contestant", fy: "what", text: (bar) => bar.best.toFixed(0), dy: -10, fontSize: 10 }),
  ],
});
plot.setAttribute("xmlns", "http://www.w3.org/2000/svg");
writeFileSync(`${docs}/js.svg`, `${plot.outerHTML}\n`);
