// The bytes of a message beside its fields: pointing at either lights the other.

import { make } from "./elements.js";

const WIDTH = 16;
const SHADES = 6;
const printable = (byte) => (byte >= 32 && byte < 127 ? String.fromCharCode(byte) : "·");

/** For each byte the row that it belongs to: of those that have bytes of their own, the shortest. */
function owners(rows, length) {
  const order = rows.map((_, index) => index).filter((index) => !["group", "absent"].includes(rows[index][3]));
  order.sort((a, b) => rows[b][1] - rows[b][0] - (rows[a][1] - rows[a][0]) || b - a);
  const owners = new Array(length);
  for (const index of order) owners.fill(index, rows[index][0], Math.min(rows[index][1], length));
  return owners;
}

/** Fills two elements with an explanation; `show` is called with the line of the schema that a row is about. */
export function explain({ bytes: hex, rows, fault, left_out: more }, grid, table, show) {
  const bytes = (hex.match(/../g) ?? []).map((pair) => parseInt(pair, 16));
  const owner = owners(rows, bytes.length);
  const cells = bytes.map((byte, at) => {
    const row = owner[at];
    const kind = row === undefined ? "unread" : rows[row][3];
    const broken = fault && fault.offset === at ? " broken" : "";
    return make("span", { class: `byte ${kind} shade${row === undefined ? 0 : row % SHADES}${broken}`, "data-at": at }, hex.slice(2 * at, 2 * at + 2));
  });
  const lines = [];
  for (let at = 0; at < bytes.length; at += WIDTH) {
    const text = bytes.slice(at, at + WIDTH).map(printable).join("");
    lines.push(make("div", { class: "line" }, make("span", { class: "offset" }, at.toString(16).padStart(4, "0")), ...cells.slice(at, at + WIDTH), make("span", { class: "text" }, text)));
  }
  grid.replaceChildren(...lines);
  const elements = rows.map(([start, end, depth, kind, label, path, value, place], index) =>
    make(
      "tr",
      { class: kind, "data-row": index, tabindex: index === 0 ? 0 : -1, title: path },
      make("td", { class: "range" }, end > start ? `${start}–${end - 1}` : ""),
      make("td", { class: "label" }, make("span", { class: "indent" }, "  ".repeat(depth)), make("span", { class: `mark shade${index % SHADES}` }), label),
      make("td", { class: "value" }, value),
      make("td", { class: "place" }, place ? `line ${place[1]}` : ""),
    ),
  );
  if (more > 0) elements.push(make("tr", {}, make("td", { colspan: 4 }, `… and ${more} more rows`)));
  table.replaceChildren(...elements);
  connect({ rows, cells, elements, owner, grid, table, show });
}

function connect({ rows, cells, elements, owner, grid, table, show }) {
  let lit = [];
  const light = (index, follow) => {
    lit.forEach((element) => element.classList.remove("lit", "aim"));
    lit = [];
    if (index === undefined) return;
    const [start, end, , , , , , , target] = rows[index];
    lit = [elements[index], ...cells.slice(start, end)];
    lit.forEach((element) => element.classList.add("lit"));
    if (target !== null && cells[target]) {
      cells[target].classList.add("aim");
      lit.push(cells[target]);
    }
    const other = follow === "bytes" ? cells[start] : elements[index];
    other?.scrollIntoView({ block: "nearest" });
  };
  const rowOf = (target) => target.closest("tr")?.dataset.row;
  const ownerOf = (target) => (target.dataset.at === undefined ? undefined : owner[Number(target.dataset.at)]);
  const numbered = (text) => (text === undefined ? undefined : Number(text));
  grid.onmouseover = (event) => light(ownerOf(event.target), "fields");
  grid.onmouseleave = table.onmouseleave = () => light(undefined);
  table.onmouseover = table.onfocusin = (event) => light(numbered(rowOf(event.target)), "bytes");
  table.onclick = (event) => {
    const place = rows[numbered(rowOf(event.target))]?.[7];
    if (place) show(place);
  };
  table.onkeydown = (event) => {
    const at = numbered(rowOf(event.target));
    const step = { ArrowUp: -1, ArrowDown: 1 }[event.key];
    if (at === undefined || step === undefined || !elements[at + step]) return;
    event.preventDefault();
    elements[at].tabIndex = -1;
    elements[at + step].tabIndex = 0;
    elements[at + step].focus();
  };
}
