// The bench's figures, as aligned text and as a plot.

const pad = (text, width) => String(text).padEnd(width);
const right = (text, width) => String(text).padStart(width);

function time(nanoseconds) {
  return nanoseconds < 10_000 ? `${Math.round(nanoseconds)} ns` : `${(nanoseconds / 1000).toFixed(1)} us`;
}

/** A table of races `{ load, limit, sizes, rows }`. */
export function table(title, races) {
  const lines = [title, pad("", 26) + pad("", 18) + ["best", "median", "quartiles", "x JSON", "of bests", "at most"].map((t, i) => right(t, [11, 11, 22, 9, 10, 9][i])).join("")];
  for (const { load, limit, sizes, rows } of races) {
    rows.forEach((row, i) => {
      const first = i === 0 ? load : i === 1 && sizes ? `  ${sizes.etf} B, JSON ${sizes.json} B` : "";
      const most = row.name === "@aldis/etf" && limit ? limit.toFixed(1) : "";
      lines.push(pad(first, 26) + pad(row.name, 18) + right(time(row.best), 11) + right(time(row.median), 11)
        + right(row.spread.map(time).join(" .. "), 22) + right(row.ratio.toFixed(2), 9)
        + right((row.best / rows[0].best).toFixed(2), 10) + right(most, 9));
    });
  }
  return lines.join("\n");
}

export function paceTable(title, rows) {
  const lines = [title, pad("", 26) + right("JSON", 12) + right("@aldis/etf", 12) + right("x JSON", 9)];
  for (const row of rows) {
    lines.push(pad(row.load, 26) + right(time(row.json), 12) + right(time(row.aldis), 12) + right(row.ratio.toFixed(2), 9));
  }
  return lines.join("\n");
}

const COLOURS = { "@aldis/etf": "#1f6feb", "JSON from bytes": "#9aa4af", "@msgpack/msgpack": "#c28a00", erlpack: "#2d8659", erlang_js: "#8b5fbf" };
const LEFT = 190;
const WIDTH = 860;
const BAR = 11;

/** The place of a ratio on the axis, which is logarithmic. */
function place(ratio, { least, most }) {
  const share = Math.log(Math.min(Math.max(ratio, least), most) / least) / Math.log(most / least);
  return LEFT + share * (WIDTH - LEFT - 60);
}

/**
 * Bars of time against JSON's, the first of each race, groups of races under headings. The axis goes from `least` to
 * `most` times its time; `colours` names who is shown.
 */
export function plot(title, groups, { colours = COLOURS, ...axis } = { least: 0.08, most: 40 }) {
  let y = 64;
  const marks = [];
  for (const { heading, races } of groups) {
    y += 14;
    marks.push(`<text x="10" y="${y}" font-weight="bold">${heading}</text>`);
    y += 10;
    for (const { load, rows } of races) {
      const others = rows.slice(1);
      marks.push(`<text x="${LEFT - 8}" y="${y + (others.length * BAR) / 2 + 4}" text-anchor="end">${load}</text>`);
      for (const row of others) {
        marks.push(`<rect x="${LEFT}" y="${y}" width="${(place(row.ratio, axis) - LEFT).toFixed(1)}" height="${BAR - 2}" fill="${colours[row.name]}"/>`,
          `<text x="${(place(row.ratio, axis) + 4).toFixed(1)}" y="${y + 8}" font-size="9">${row.ratio.toFixed(2)}</text>`);
        y += BAR;
      }
      y += 8;
    }
  }
  const legend = Object.entries(colours).map(([name, colour], i) =>
    `<rect x="${10 + i * 165}" y="34" width="10" height="10" fill="${colour}"/><text x="${24 + i * 165}" y="43">${name}</text>`);
  const lines = [0.01, 0.03, 0.1, 0.3, 1, 3, 10, 30].filter((ratio) => ratio > axis.least && ratio < axis.most).map((ratio) => {
    const x = place(ratio, axis).toFixed(1);
    const stroke = ratio === 1 ? "#c0392b" : "#ddd";
    return `<line x1="${x}" y1="56" x2="${x}" y2="${y}" stroke="${stroke}"/><text x="${x}" y="${y + 14}" text-anchor="middle" fill="#555">${ratio} x</text>`;
  });
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${WIDTH}" height="${y + 24}" viewBox="0 0 ${WIDTH} ${y + 24}" font-family="sans-serif" font-size="12">
<rect width="100%" height="100%" fill="#fff"/>
<text x="10" y="20" font-size="15" font-weight="bold">${title}</text>
${[...lines, ...legend, ...marks].join("\n")}
</svg>
`;
}
