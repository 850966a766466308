// Elements of the page, made from values. Text from schemas and messages only ever becomes text.

export const by = (id) => document.getElementById(id);

/** An element of a tag, with attributes and children; a child that is no element is text. */
export function make(tag, attributes = {}, ...children) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) if (value !== undefined && value !== false) element.setAttribute(name, value === true ? "" : value);
  element.append(...children.filter((child) => child !== null && child !== undefined).map((child) => (child instanceof Node ? child : String(child))));
  return element;
}

/** Puts choices into a select, and keeps the one that was taken where it is still there. */
export function offer(select, names) {
  const taken = select.value;
  select.replaceChildren(...names.map((name) => make("option", { value: name }, name)));
  if (names.includes(taken)) select.value = taken;
}

/** Selects a range of a text, by lines and columns from 1 on, and shows it. */
export function point(area, { line, column = 1, endLine = line, endColumn }) {
  const lines = area.value.split("\n");
  const start = (line, column) => lines.slice(0, line - 1).reduce((sum, text) => sum + text.length + 1, 0) + column - 1;
  const end = endColumn === undefined ? start(line, 1) + (lines[line - 1] ?? "").length : start(endLine, endColumn);
  area.focus();
  area.setSelectionRange(start(line, column), end);
  const height = parseFloat(getComputedStyle(area).lineHeight);
  area.scrollTop = Math.max(0, (line - 4) * height);
}
