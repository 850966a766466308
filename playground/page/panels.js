// The panels that tell of a schema: diagnostics, layouts, code, and what a change breaks.

import { make } from "./elements.js";
import { spaced } from "./bytes.js";

/** A list of diagnostics; `go` is called with the place of one. */
export function diagnostics(list, told, name, go) {
  const items = told.map((one) => {
    const place = one.line === undefined ? "" : `${one.file === name ? "" : `${one.file}:`}${one.line}:${one.column}`;
    const item = make("li", { class: one.severity, tabindex: 0 }, make("b", {}, `${one.severity} ${one.code}`), ` ${place} `, one.message);
    const labels = one.labels.map((label) => label.text).filter((text) => text !== "");
    if (labels.length > 0) item.append(make("span", { class: "label" }, ` (${labels.join("; ")})`));
    if (one.help) item.append(make("span", { class: "help" }, one.help));
    item.onclick = () => one.file === name && go(one);
    return item;
  });
  list.replaceChildren(...items);
}

/** Tables of where each field lies. */
export function layouts(element, tables, go) {
  const shown = tables.map(({ title, line, lines, summary }) => {
    const rows = lines.map(([at, size, name, type, hole]) => make("tr", { class: hole && "hole" }, ...[at, size, name, type].map((text) => make("td", {}, text))));
    const caption = make("caption", { tabindex: 0 }, title);
    caption.onclick = () => go({ line });
    const head = make("tr", {}, ...["offset", "size", "field", "type"].map((text) => make("th", {}, text)));
    return make("table", { class: "layout" }, caption, make("thead", {}, head), make("tbody", {}, ...rows), make("tfoot", {}, make("tr", {}, make("td", { colspan: 4 }, summary))));
  });
  element.replaceChildren(...shown);
}

/** The files of generated code, each of which can be kept. */
export function code(element, { files, diagnostics: told }) {
  const notes = told.map((one) => make("p", { class: one.severity }, `${one.code}: ${one.message}. ${one.help ?? ""}`));
  const shown = files.map(({ path, text }, index) => {
    const link = make("a", { href: URL.createObjectURL(new Blob([text], { type: "text/plain" })), download: path.split("/").pop() }, "save");
    const lines = text.split("\n").length;
    return make("details", { open: index === 0 }, make("summary", {}, `${path} (${lines} lines) `, link), make("pre", {}, text));
  });
  element.replaceChildren(...notes, ...shown);
}

const LETTERS = {
  B: "new readers do not read what old writers wrote",
  F: "old readers do not read what new writers write",
  J: "the JSON is another",
  S: "programs that use generated code do not compile",
};

/** What a change breaks, with the messages that prove it. */
export function changes(element, { broken, differences }, go) {
  const verdict = broken === "" ? "Nothing breaks." : `Broken: ${[...broken].map((letter) => `${letter}, ${LETTERS[letter]}`).join("; ")}.`;
  const items = differences.map((one) => {
    const place = one.new?.line ? ` (line ${one.new.line})` : "";
    const head = make("p", { tabindex: 0 }, make("b", {}, one.broken === "" ? "ok" : one.broken), ` ${one.sentence}${place}`);
    head.onclick = () => one.new?.line && go({ line: one.new.line });
    const reasons = one.reasons.filter((reason) => reason !== null).map((reason) => make("p", { class: "help" }, reason));
    return make("li", { class: one.broken === "" ? "fine" : "error" }, head, ...reasons, ...one.witnesses.map(witness));
  });
  element.replaceChildren(make("p", { class: "verdict" }, differences.length === 0 ? "Nothing changed." : verdict), make("ul", {}, ...items));
}

function witness({ forward, message, written, bytes, range: [start, end], read }) {
  const [writer, reader] = forward ? ["new", "old"] : ["old", "new"];
  const marked = make("pre", { class: "bytes" });
  const part = (from, to) => spaced(bytes.slice(2 * from, 2 * to)).replace(/\n/g, " ");
  marked.append(part(0, start), " ", make("mark", {}, part(start, end)), " ", part(end, bytes.length / 2));
  const made = read.json === undefined ? make("p", {}, `the ${reader} reader refuses it: ${read.fault}`) : make("p", {}, `the ${reader} reader makes of it `, make("code", {}, read.json));
  return make("div", { class: "witness" }, make("p", {}, `the ${writer} writer's ${message} `, make("code", {}, written)), marked, made);
}
