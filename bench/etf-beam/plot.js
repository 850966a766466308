// docs/etf-beam.svg of the figures in docs/etf-beam.json.
import { readFileSync, writeFileSync } from "node:fs";
import { plot } from "../etf-js/report.js";

const docs = new URL("../../docs/", import.meta.url);
const { versions, decode, encode } = JSON.parse(readFileSync(new URL("etf-beam.json", docs), "utf8"));
const COLOURS = {
  "VM": "#9aa4af", "check in C": "#1f6feb", "Erlang alone": "#79b0ff", "fastlane!": "#2d8659", "push of a LiveView": "#7cc49a",
};

// Bars are named after what is special about them; what is off by default is left to the table.
const named = (races) => races.map(({ load, rows }) => ({
  load,
  rows: rows.map((row) => ({ ...row, name: row.name.replace(/^aldis, | \(.*\)$/g, "") }))
    .filter(({ name }, i) => i === 0 || name in COLOURS),
}));

const groups = [
  { heading: `Reading messages of clients, OTP ${versions.otp}`, races: named(decode) },
  { heading: "Writing broadcasts and pushes", races: named(encode) },
];
writeFileSync(new URL("etf-beam.svg", docs), plot("Time against that of jiffy's JSON (1 x, the red line; shorter is faster)", groups, COLOURS));
