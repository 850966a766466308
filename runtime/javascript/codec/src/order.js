import { textBytes } from "./text.js";

/** Numbers, big ones too, booleans and uuids by value. Negative zero equals zero; NaN equals itself and comes last. */
export function orderValues(a, b) {
  if (a < b) return -1;
  if (a > b) return 1;
  return a === b ? 0 : Number(a !== a) - Number(b !== b);
}

/** Text by its bytes. */
export function orderText(a, b) {
  if (a === b) return 0;
  return isPlain(a) && isPlain(b) ? (a < b ? -1 : 1) : orderBytes(textBytes(a), textBytes(b));
}

/** Characters below U+0800 have the order of their bytes, as those of one byte have. */
const isPlain = (text) => !/[\u0800-\uffff]/.test(text);

/** Latin-1 text, a character a byte. */
export const orderLatin1 = orderValues;

export function orderBytes(a, b) {
  const both = Math.min(a.length, b.length);
  for (let i = 0; i < both; i++) if (a[i] !== b[i]) return a[i] - b[i];
  return a.length - b.length;
}

/** Null comes first. */
export const orderOptional = (order) => (a, b) => {
  if (a === null || b === null) return Number(b === null) - Number(a === null);
  return order(a, b);
};

/** Enums by number: `number` gives that of a name. */
export const orderBy = (number) => (a, b) => orderValues(number(a), number(b));

/** Records by fields in order; a function gives the fields, as records may hold themselves. */
export const orderRecords = (fields) => (a, b) => {
  for (const [name, order] of fields()) {
    const found = order(a[name], b[name]);
    if (found !== 0) return found;
  }
  return 0;
};

/** Lists and sets element by element, then by length. */
export const orderLists = (order) => (a, b) => orderAll([...a], [...b], order);

/** Maps entry by entry, then by size. */
export const orderMaps = (key, value) => {
  const entries = (a, b) => key(a[0], b[0]) || value(a[1], b[1]);
  return (a, b) => orderAll([...a], [...b], entries);
};

function orderAll(a, b, order) {
  const both = Math.min(a.length, b.length);
  for (let i = 0; i < both; i++) {
    const found = order(a[i], b[i]);
    if (found !== 0) return found;
  }
  return a.length - b.length;
}

/** In order, of equals the first: sorting is stable. */
export function sorted(items, order) {
  let ascends = true;
  for (let i = 1; ascends && i < items.length; i++) ascends = order(items[i - 1], items[i]) < 0;
  if (ascends) return items;
  items.sort(order);
  return items.filter((item, i) => i === 0 || order(items[i - 1], item) !== 0);
}

const pairs = (items) => {
  const entries = [];
  for (let i = 0; i < items.length; i += 2) entries.push([items[i], items[i + 1]]);
  return entries;
};

// Functions that make a collection of its elements, those of a map being keys and values by turns.
export const asList = (items) => items;
export const asArray = (TypedArray) => (items) => TypedArray.from(items);
export const asSet = (order) => (items) => new Set(sorted(items, order));
export const asSetList = (order) => (items) => sorted(items, order);
export const asMap = (order) => (items) => new Map(sorted(pairs(items), (a, b) => order(a[0], b[0])));
export const asMapList = (order) => (items) => sorted(pairs(items), (a, b) => order(a[0], b[0]));
