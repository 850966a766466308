// docs/etf-beam.svg of the figures in docs/etf-beam.json.
import { readFileSync, writeFileSync } from "node:fs";
import { plot } from "../etf-js/report.js";

const docs = new URL("../../docs/", import.meta.url);
const { versions, decode, encode } = JSON.parse(readFileSync(new URL("etf-beam.json", docs), "utf8"));
// The contestants that are shown, each with its name; those that are off by default are left to the table.
const NAMES = {
  "VM (binary_to_term)": "the VM alone", "VM (term_to_binary)": "the VM alone",
  "aldis, check in C": "check in C", "aldis, Erlang alone": "Erlang alone",
  "aldis, fastlane!": "fastlane!", "aldis, fastlane!, Erlang alone": "fastlane!, Erlang alone",
};
const colours = {
  "the VM alone": "#9aa4af", "check in C": "#1f6feb", "Erlang alone": "#79b0ff", "fastlane!": "#2d8659", "fastlane!, Erlang alone": "#7cc49a",
};

const named = (races) => races.map(({ load, rows }) => ({
  // The fastest JSON is the first, against which the others are.
  load, rows: [rows[0], ...rows.filter(({ name }) => NAMES[name]).map((row) => ({ ...row, name: NAMES[row.name] }))],
}));

const groups = [
  { heading: `Reading messages of clients, OTP ${versions.otp}`, races: named(decode) },
  { heading: "Writing broadcasts and pushes", races: named(encode) },
];
writeFileSync(new URL("etf-beam.svg", docs), plot("Time against that of the fastest JSON (1 x, the red line; shorter is faster)", groups, { colours, least: 0.005, most: 2 }));
