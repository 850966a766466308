import { decimal, extraWithin, lackWithin, readRows, values } from "./cells.js";
import { within } from "./error.js";
import { fail } from "./frame.js";

/**
 * What is done with the bytes of a record or message, as a table: so many symbols, those of its parameters first, and a function
 * that gives its block. A block is `[takes, operations, gives]`, an operation `[name, …]`; what each means stands in the compiler
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
  for (const operation of operations) operate(r, s, operation);
  return gives.map((operand) => arg(s, operand));
}

function operate(r, s, operation) {
  const [name, ...given] = operation;
  operations[name](r, s, ...given);
}

function bind(s, binds, found) {
  binds.forEach((symbol, i) => (s[symbol] = found[i]));
}

function charge(r, amount, at) {
  if (amount > r.left) fail(r, "too-large", at);
  r.left -= amount;
}

function extra(r, amount, at) {
  if (r.surcharge) charge(r, amount, at);
}

/** Zero times whatever is zero, also where that is beyond all numbers. */
const times = (a, b) => (a === 0 || b === 0 ? 0 : a * b);

function need(r, at, size, cut) {
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
  need(r, at, run.size, () => [run]);
  charge(r, run.size, at);
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
  need(r, at, run.extent, START);
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
    throw within(error, step);
  }
}

const operations = {
  load: (r, s, to, base, plus, read) => (s[to] = Number(read(r, s[base] + plus))),
  add: (r, s, to, base, plus, size) => (s[to] = s[base] + plus + arg(s, size)),
  element: (r, s, to, base, plus, index, stride) => (s[to] = s[base] + plus + s[index] * stride),
  equal: (r, s, to, a, b) => (s[to] = arg(s, a) === arg(s, b)),
  atLeast: (r, s, to, a, b) => (s[to] = arg(s, a) >= arg(s, b)),
  present: (r, s, to, since, reach, extent, version) =>
    (s[to] = arg(s, version) >= since && arg(s, extent) >= reach),

  need: (r, s, to, at, size) => need(r, s[at], (s[to] = arg(s, size)), START),
  expect(r, s, have, want, base, plus, root) {
    if (arg(s, have) !== want) fail(r, arg(s, root) ? "unknown-message" : "bad-value", s[base] + plus);
  },
  fit(r, s, to, count, least, at, blame) {
    s[to] = arg(s, count);
    if (times(s[to], arg(s, least)) > r.end - s[at]) fail(r, "bad-count", s[blame]);
  },
  follow(r, s, to, base, offset, from, plus) {
    s[to] = s[base] + arg(s, offset);
    if (arg(s, offset) === 0 || s[to] > r.end) fail(r, "bad-pointer", s[from] + plus);
  },
  root(r, s, to, offset, start) {
    s[to] = s[start] + arg(s, offset);
    if (s[to] > r.end) fail(r, "bad-pointer", s[start]);
  },
  bound(r, s, size, head, base, plus) {
    if (arg(s, size) > r.end - r.start) fail(r, "truncated", s[base] + plus);
    if (arg(s, size) < head) fail(r, "bad-value", s[base] + plus);
    r.end = r.start + arg(s, size);
  },
  same(r, s, size, end, base, plus) {
    if (arg(s, size) !== s[end] - r.start) fail(r, "bad-value", s[base] + plus);
  },
  end: (r, s, to) => (s[to] = r.end),
  refuse: (r, s, base, plus) => fail(r, "bad-value", s[base] + plus),

  charge: (r, s, count, each, at) => charge(r, times(arg(s, count), arg(s, each)), s[at]),
  extra: (r, s, count, each, at) => extra(r, times(arg(s, count), arg(s, each)), s[at]),
  lack(r, s, to, lacks, block, pointers, version) {
    s[to] = lackWithin(lacks, arg(s, block), arg(s, pointers), arg(s, version));
  },

  if: (r, s, binds, test, then, other) => bind(s, binds, block(r, s, s[test] ? then : other)),
  within: (r, s, binds, name, body) => bind(s, binds, framed(r, s, body, name)),
  level(r, s, binds, at, body) {
    if (r.depth === 0) fail(r, "too-deep", s[at]);
    r.depth--;
    bind(s, binds, block(r, s, body));
    r.depth++;
  },
  call(r, s, binds, routine, args) {
    bind(s, binds, routine.run(r, args.map((operand) => arg(s, operand))));
  },

  scalar: (r, s, to, base, plus, read) => (s[to] = read(r, s[base] + plus)),
  decimal: (r, s, to, base, plus) => (s[to] = decimal(r, s[base] + plus)),
  bytes: (r, s, to, at, size, make) => (s[to] = make(r, s[at], s[at] + arg(s, size))),
  literal: (r, s, to, value) => (s[to] = value()),
  make: (r, s, to, of, fields) => (s[to] = of(...fields.map((field) => s[field]))),

  extent(r, s, to, run, at, acting, version) {
    const size = run.extent === 0 ? run.size : run.extent < 0 ? arg(s, acting) : stated(r, run, s[at]);
    need(r, s[at], size, () => [run, arg(s, version)]);
    charge(r, size, s[at]);
    extra(r, extraWithin(run, size), s[at]);
    s[to] = size;
  },
  head(r, s, binds, run, at, root) {
    const found = readHead(r, run, s[at], arg(s, root));
    bind(s, binds, [...found, s[at] + run.size]);
  },
  counted(r, s, to, behind, run, at, root, make) {
    const found = readHead(r, run, s[at], arg(s, root));
    const from = s[at] + run.size;
    const length = found.at(-1) ?? 0;
    if (length > r.end - from) fail(r, "bad-count", s[at]);
    charge(r, length, from);
    s[to] = make(r, from, from + length);
    s[behind] = from + length;
  },
  fields(r, s, binds, run, at, extent, version) {
    bind(s, binds, readRows(r, run, s[at], arg(s, extent), arg(s, version)));
  },
  row: (r, s, to, base, plus, count, width, read, make) =>
    (s[to] = values(r, s[base] + plus, arg(s, count), width, read, make)),
  scalars(r, s, to, behind, at, count, width, read, make) {
    charge(r, arg(s, count) * width, s[at]);
    s[to] = values(r, s[at], arg(s, count), width, read, make);
    s[behind] = s[at] + arg(s, count) * width;
  },
  each(r, s, binds, count, carry, make, body) {
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
  },
  unpaid(r, s, from, at, amount) {
    if (s[from] === s[at]) charge(r, amount, s[at]);
  },
};
