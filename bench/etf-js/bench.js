// ETF in JavaScript against JSON and its peers: prints tables, writes docs/etf-js.json and docs/etf-js.svg.
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { cpus, loadavg } from "node:os";
import { inBrowser } from "./browser.js";
import { check, decoding, dropFailing, encoding } from "./contestants.js";
import { race } from "./harness.js";
import { pace } from "./pace.js";
import { paceTable, plot, table } from "./report.js";

const ROUNDS = 31;
const require = createRequire(import.meta.url);

function optional(name) {
  try {
    return require(name);
  } catch {
    return undefined;
  }
}

const version = (name) => {
  try {
    return JSON.parse(readFileSync(new URL(`node_modules/${name}/package.json`, import.meta.url), "utf8")).version;
  } catch {
    return "not installed";
  }
};

const peers = { erlang: optional("erlang_js")?.Erlang, erlpack: optional("erlpack") };
const withLimit = ({ load, sizes, contestants }, rounds) => ({ load: load.name, limit: load.limit, sizes, rows: race(contestants, rounds) });

async function inNode() {
  const decodes = decoding(peers);
  const paced = [];
  // Before anything is hot.
  for (const one of decodes) paced.push({ load: one.load.name, ...(await pace(one)) });
  decodes.forEach(check);
  const encodes = encoding(peers);
  const failing = [...decodes, ...encodes].flatMap((one) => dropFailing(one).map((name) => `${name} fails on: ${one.load.name}`));
  return {
    decode: decodes.map((one) => withLimit(one, ROUNDS)), encode: encodes.map((one) => withLimit(one, ROUNDS)), pace: paced, failing,
  };
}

const versions = {
  node: process.version, v8: process.versions.v8, cpu: cpus()[0].model, "load before": loadavg()[0].toFixed(1),
  "@msgpack/msgpack": version("@msgpack/msgpack"), erlang_js: version("erlang_js"), erlpack: version("erlpack"),
};
const node = await inNode();
const browser = await inBrowser();
const limits = new Map([...node.decode, ...node.encode].map((one) => [one.load, one]));
for (const one of [...(browser?.decode ?? []), ...(browser?.encode ?? [])]) {
  one.limit = limits.get(one.load).limit;
  one.sizes = limits.get(one.load).sizes;
}

const NOTES = [
  "x JSON: median over the rounds of its time to that of JSON.parse(string), which is what phoenix.js gets, or of",
  "textEncoder.encode(JSON.stringify(value)), in the same round; \"of bests\" is the ratio of the two best times. erlang_js",
  "makes objects of its own classes, and its time includes making plain ones of these; erlpack is C++, and is given",
  "atoms as old servers wrote them (it knows no others).",
].join("\n");
const parts = [
  Object.entries(versions).map(([name, value]) => `${name} ${value}`).join(", "),
  table(`Decoding, Node ${process.version}`, node.decode), table(`Encoding, Node ${process.version}`, node.encode),
  paceTable("Decoding one message every 20 ms, Node (median)", node.pace),
];
if (browser) {
  const name = /(?:Headless)?Chrom\w*\/[\d.]+/.exec(browser.agent)?.[0] ?? browser.agent;
  versions.browser = name;
  parts.push(table(`Decoding, ${name}`, browser.decode), table(`Encoding, ${name}`, browser.encode),
    paceTable(`Decoding one message every 20 ms, ${name} (median)`, browser.pace));
}
console.log([...parts, ...node.failing, NOTES].join("\n\n"));

const docs = new URL("../../docs/", import.meta.url);
mkdirSync(docs, { recursive: true });
writeFileSync(new URL("etf-js.json", docs), `${JSON.stringify({ versions, node, browser }, null, 1)}\n`);
const groups = [{ heading: `Decoding, Node ${process.version}`, races: node.decode }, { heading: "Encoding, Node", races: node.encode }];
if (browser) groups.push({ heading: `Decoding, ${versions.browser}`, races: browser.decode }, { heading: "Encoding, Chromium", races: browser.encode });
writeFileSync(new URL("etf-js.svg", docs), plot("Time against JSON's (1 x, the red line; shorter is faster)", groups));
