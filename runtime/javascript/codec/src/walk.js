import { charsAt, decimal as decimalAt, extraWithin, lackWithin, readRows, values } from "./cells.js";
import { keepAt } from "./copy.js";
import { within as framedBy } from "./error.js";
import { fail } from "./frame.js";
import { aimAt, bitsAt, bodyOf, isList as leadsToList, isNull as leadsNowhere, isRecord, listAt, listSize, openSegments, shortOf } from "./segments.js";

/**
 * The work on the bytes of a record or message, as a table: so many symbols, those of its parameters first, and a function
 * that gives its block. A block is `[takes, operations, gives]`, an operation one of the functions below with its operands, so that a
 * bundle has those that its tables name; what each means stands in the compiler
 * (`compiler/routine/src/op.rs`), whose evaluator this one follows. Budget and depth are the frame's. An operand is a symbol,
 * or, below zero, the number -1 - operand.
 */
export class Routine {
  #made;
  #body;

  constructor(symbols, params, body) {
    this.symbols = symbols;
    this.params = params;
    this.#made = body;
  }

  get body() {
    return (this.#body ??= this.#made());
  }

  /** Runs it; gives what its body gives. */
  run(r, args) {
    const s = new Array(this.symbols).fill(undefined);
    this.params.forEach((param, i) => (s[param] = args[i]));
    return block(r, s, this.body);
  }
}

const arg = (s, operand) => (operand < 0 ? -1 - operand : s[operand]);

function block(r, s, [, operations, gives]) {
  for (const [operate, ...given] of operations) operate(r, s, ...given);
  return gives.map((operand) => arg(s, operand));
}

function bind(s, binds, found) {
  binds.forEach((symbol, i) => (s[symbol] = found[i]));
}

function pay(r, amount, at) {
  if (amount > r.left) fail(r, "too-large", at);
  r.left -= amount;
}

function payExtra(r, amount, at) {
  if (r.surcharge) pay(r, amount, at);
}

/** Zero times whatever is zero, also where that is beyond all numbers. */
const times = (a, b) => (a === 0 || b === 0 ? 0 : a * b);

function demand(r, at, size, cut) {
  if (size > r.end - at) truncated(r, at, size, cut());
}

/** A run of bytes is not all there: the fault is in the first row that should be, and is not. */
function truncated(r, at, size, [run, version]) {
  const left = r.end - at;
  if (run === undefined) fail(r, "truncated", at);
  const path = [];
  const found = version === undefined ? cutHead(run, left, path) : firstCut(run.rows, left, size, version, path);
  fail(r, "truncated", at + Math.min(found ?? left, left), path);
}

function cutHead(run, left, path) {
  const row = run.rows.find((row) => row.end > left);
  if (row?.register !== undefined) path.push(row.register);
  return row?.at;
}

function firstCut(rows, left, extent, version, path) {
  const there = (row) => (row.since ?? 0) <= version && (row.reach ?? row.end) <= extent;
  const row = rows?.find((row) => there(row) && row.end > left);
  if (row === undefined) return undefined;
  if (row.name !== undefined) path.push(row.name);
  return firstCut(row.rows, left, extent, version, path) ?? row.at;
}

const START = () => [];

/** Reads a head at `at`; gives the registers that are wanted. */
function readHead(r, run, at, root) {
  demand(r, at, run.size, () => [run]);
  pay(r, run.size, at);
  const found = [];
  for (const row of run.rows) {
    if (row.read === undefined) continue;
    const value = row.read(r, at + row.at);
    if (row.want === undefined) found.push(Number(value));
    else if (value !== row.want) fail(r, root ? "unknown-message" : "bad-value", at + row.at);
  }
  return found;
}

/** How many bytes a run says that it has. */
function stated(r, run, at) {
  demand(r, at, run.extent, START);
  const row = run.rows.find((row) => row.extent !== undefined);
  const size = Number(row.extent(r, at + row.at));
  if (size < run.extent) fail(r, "bad-value", at + row.at);
  return size;
}

/** Runs a block whose faults have `step` put before their path. */
function framed(r, s, body, step) {
  try {
    return block(r, s, body);
  } catch (error) {
    throw framedBy(error, step);
  }
}

export const load = (r, s, to, base, plus, read) => (s[to] = Number(read(r, s[base] + plus)));
export const add = (r, s, to, base, plus, size) => (s[to] = s[base] + plus + arg(s, size));
export const element = (r, s, to, base, plus, index, stride) => (s[to] = s[base] + plus + s[index] * stride);
export const equal = (r, s, to, a, b) => (s[to] = arg(s, a) === arg(s, b));
export const atLeast = (r, s, to, a, b) => (s[to] = arg(s, a) >= arg(s, b));
export const present = (r, s, to, since, reach, extent, version) =>
  (s[to] = arg(s, version) >= since && arg(s, extent) >= reach);

export const need = (r, s, to, at, size) => demand(r, s[at], (s[to] = arg(s, size)), START);

export function expect(r, s, have, want, base, plus, root) {
  if (arg(s, have) !== want) fail(r, arg(s, root) ? "unknown-message" : "bad-value", s[base] + plus);
}

export function fit(r, s, to, count, least, at, blame) {
  s[to] = arg(s, count);
  if (times(s[to], arg(s, least)) > r.end - s[at]) fail(r, "bad-count", s[blame]);
}

export function follow(r, s, to, base, offset, from, plus) {
  s[to] = s[base] + arg(s, offset);
  if (arg(s, offset) === 0 || s[to] > r.end) fail(r, "bad-pointer", s[from] + plus);
}

export function root(r, s, to, offset, start) {
  s[to] = s[start] + arg(s, offset);
  if (s[to] > r.end) fail(r, "bad-pointer", s[start]);
}

export function bound(r, s, size, head, base, plus) {
  if (arg(s, size) > r.end - r.start) fail(r, "truncated", s[base] + plus);
  if (arg(s, size) < head) fail(r, "bad-value", s[base] + plus);
  r.end = r.start + arg(s, size);
}

export function same(r, s, size, end, base, plus) {
  if (arg(s, size) !== s[end] - r.start) fail(r, "bad-value", s[base] + plus);
}

export const end = (r, s, to) => (s[to] = r.end);
export const refuse = (r, s, base, plus) => fail(r, "bad-value", s[base] + plus);

export const charge = (r, s, count, each, at) => pay(r, times(arg(s, count), arg(s, each)), s[at]);
export const extra = (r, s, count, each, at) => payExtra(r, times(arg(s, count), arg(s, each)), s[at]);

export function lack(r, s, to, lacks, block, pointers, version) {
  s[to] = lackWithin(lacks, arg(s, block), arg(s, pointers), arg(s, version));
}

export const branch = (r, s, binds, test, then, other) => bind(s, binds, block(r, s, s[test] ? then : other));
export const within = (r, s, binds, name, body) => bind(s, binds, framed(r, s, body, name));

export function level(r, s, binds, at, body) {
  if (r.depth === 0) fail(r, "too-deep", s[at]);
  r.depth--;
  bind(s, binds, block(r, s, body));
  r.depth++;
}

export function call(r, s, binds, routine, args) {
  bind(s, binds, routine.run(r, args.map((operand) => arg(s, operand))));
}

export const scalar = (r, s, to, base, plus, read) => (s[to] = read(r, s[base] + plus));
export const chars = (r, s, to, base, plus, width, read) => (s[to] = charsAt(r, s[base] + plus, width, read));
export const decimal = (r, s, to, base, plus) => (s[to] = decimalAt(r, s[base] + plus));
export const bytes = (r, s, to, at, size, make) => (s[to] = make(r, s[at], s[at] + arg(s, size)));
export const literal = (r, s, to, value) => (s[to] = value());
export const make = (r, s, to, of, fields) => (s[to] = of(...fields.map((field) => s[field])));

export function extent(r, s, to, run, at, acting, version) {
  const size = run.extent === 0 ? run.size : run.extent < 0 ? arg(s, acting) : stated(r, run, s[at]);
  demand(r, s[at], size, () => [run, arg(s, version)]);
  pay(r, size, s[at]);
  payExtra(r, extraWithin(run, size), s[at]);
  s[to] = size;
}

export function head(r, s, binds, run, at, root) {
  const found = readHead(r, run, s[at], arg(s, root));
  bind(s, binds, [...found, s[at] + run.size]);
}

export function counted(r, s, binds, run, at, root, make) {
  const found = readHead(r, run, s[at], arg(s, root));
  const from = s[at] + run.size;
  const length = found.at(-1) ?? 0;
  if (length > r.end - from) fail(r, "bad-count", s[at]);
  pay(r, length, from);
  bind(s, binds, [make(r, from, from + length), from + length]);
}

export function fields(r, s, binds, run, at, extent, version) {
  bind(s, binds, readRows(r, run, s[at], arg(s, extent), arg(s, version)));
}

export const row = (r, s, to, base, plus, count, width, read, make) =>
  (s[to] = values(r, s[base] + plus, arg(s, count), width, read, make));

export function scalars(r, s, binds, at, count, width, read, make) {
  const size = arg(s, count) * width;
  pay(r, size, s[at]);
  bind(s, binds, [values(r, s[at], arg(s, count), width, read, make), s[at] + size]);
}

export function each(r, s, binds, count, carry, make, body) {
  const items = [];
  let carried = carry.map((operand) => arg(s, operand));
  const [index, ...others] = body[0];
  for (let i = 0; i < arg(s, count); i++) {
    s[index] = i;
    bind(s, others, carried);
    const given = framed(r, s, body, i);
    carried = given.splice(given.length - carried.length);
    items.push(...given);
  }
  bind(s, binds, [make(items), ...carried]);
}

export function unpaid(r, s, from, at, amount) {
  if (s[from] === s[at]) pay(r, amount, s[at]);
}


export function least(r, s, to, size, least, base, plus) {
  s[to] = arg(s, size);
  if (s[to] < least) fail(r, "bad-value", s[base] + plus);
}

export function choose(r, s, binds, on, arms, other) {
  const tag = arg(s, on);
  bind(s, binds, block(r, s, arms.find(([of]) => of === tag)?.[1] ?? other));
}

export const arm = (r, s, to, of, tag, value) => (s[to] = of(arg(s, tag), s[value]));

// Segments.
export const open = (r, s, to) => (s[to] = openSegments(r, false));
export const openTable = (r, s, to) => (s[to] = openSegments(r, true));

export function aim(r, s, to, at, segment) {
  s[to] = aimAt(r, s[at], arg(s, segment));
  pay(r, s[to].pads * 8, s[at]);
}

export const isNowhere = (r, s, to, aim) => (s[to] = leadsNowhere(s[aim]));

export function sections(r, s, binds, aim, at) {
  const found = s[aim];
  if (!isRecord(found)) fail(r, "bad-value", s[at]);
  if (r.depth === 0) fail(r, "too-deep", s[at]);
  const size = (found.data + found.pointers) * 8;
  const data = bodyOf(r, found, s[at], size);
  pay(r, size, s[at]);
  bind(s, binds, [found.segment, data, found.data * 8, data + found.data * 8, found.pointers * 8]);
}

/** With `text` the last byte is a zero. */
export function blob(r, s, to, aim, at, make, text) {
  const found = s[aim];
  if (!leadsToList(found) || found.code !== 2) fail(r, "bad-value", s[at]);
  const size = listSize(found);
  const from = bodyOf(r, found, s[at], size);
  pay(r, size, s[at]);
  const stop = from + found.count - Number(text);
  if (text && (found.count === 0 || r.b[stop] !== 0)) fail(r, "bad-value", s[at]);
  s[to] = make(r, from, stop);
}

export function isList(r, s, aim, at) {
  if (!leadsToList(s[aim])) fail(r, "bad-value", s[at]);
}

export const list = (r, s, binds, aim, at) => bind(s, binds, [s[aim].segment, ...listAt(r, s[aim], s[at], pay)]);

export function seat(r, s, data, pointers, first, stride, size, index) {
  s[data] = s[first] + Math.floor((s[index] * s[stride]) / 8);
  s[pointers] = s[data] + s[size];
}

export const eighths = (r, s, to, count) => (s[to] = Math.ceil(arg(s, count) / 8));
export const short = (r, s, to, bits) => (s[to] = shortOf(arg(s, bits)));
export const bits = (r, s, to, at, count, make) => (s[to] = bitsAt(r, s[at], arg(s, count), make));
export const strided = (r, s, to, first, count, stride, width, read, make) =>
  (s[to] = values(r, s[first], s[count], s[stride] / 8, read, make));
export const keep = (r, s, to, at, segment) => (s[to] = keepAt(r, s[at], arg(s, segment)));
