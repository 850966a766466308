// ==== feature.js
// [as in the base]

export const Message__of = (items) => ({ items });
export const Message_items_of = (n) => ({ n });

export function newMessage_(init) {
  return w.fresh(Message__of([]), init);
}

export function newMessage_items(init) {
  return w.fresh(Message_items_of(0), init);
}

const Message__read_head = /*#__PURE__*/ new r.Run(0, -1, 0, [], () => []);
const Message__read_head_2 = /*#__PURE__*/ new r.Run(4, 0, 0, [], () => [
  { at: 0, end: 2, register: "blockLength", read: r.u16 },
  { at: 2, end: 4, register: "numInGroup", read: r.u16 }
]);
const Message__read_lacks = [[[1, 4]], [], []];
const Message__read = /*#__PURE__*/ new o.Routine(15, [0, 1, 2], () => [
  [],
  [
    [
      o.level,
      [3, 4],
      0,
      [
        [],
        [
          [o.extent, 3, Message__read_head, 0, 1, -Infinity],
          [o.add, 4, 0, 0, 3],
          [
            o.within,
            [5, 6],
            "items",
            [
              [],
              [
                [o.head, [5, 6, 7], Message__read_head_2, 4, -1],
                [o.fit, 8, 6, 5, 7, 4],
                [o.equal, 9, 5, -1],
                [o.branch, [], 9, [[], [[o.charge, 8, -9, 7]], []], [[], [], []]],
                [o.lack, 10, Message__read_lacks, 5, -1, 2],
                [o.charge, 8, 10, 7],
                [
                  o.each,
                  [11, 12],
                  8,
                  [7],
                  r.asList,
                  [[11, 12], [[o.call, [13, 14], Message_items_read, [12, 5]]], [13, 14]]
                ]
              ],
              [11, 12]
            ]
          ],
          [o.make, 7, Message__of, [5]]
        ],
        [7, 6]
      ]
    ]
  ],
  [3, 4]
]);

function Message__read_usual(f, $at, $extent, $version) {
  if (f.end - $at < $extent) r.refuse();
  const $at_2 = $at + $extent;
  if (f.end - $at_2 < 4) r.refuse();
  const $blockLength = f.v.getUint16($at_2, true);
  const $at_3 = $at_2 + 4;
  const $count = f.v.getUint16($at_2 + 2, true);
  if (f.end - $at_3 < $count * $blockLength) r.refuse();
  if ((f.left -= $extent + 4) < 0) r.refuse();
  if ($blockLength === 0) {
    if ((f.left -= $count * 8) < 0) r.refuse();
  }
  if ((f.left -= $count * ($blockLength >= 1 ? 0 : r.lackWithin(
    Message__read_lacks,
    $blockLength,
    0,
    $version
  ))) < 0) r.refuse();
  const $list = [];
  let $next = $at_3;
  for (let $index = 0; $index < $count; $index++) {
    const $at_4 = $next;
    const $record = Message_items_read_usual(f, $at_4, $blockLength);
    const $at_5 = f.at;
    $list.push($record);
    $next = $at_5;
  }
  const $list_2 = $list;
  f.at = $next;
  return Message__of($list_2);
}

const Message_items_read_run = /*#__PURE__*/ new r.Run(1, -1, 0, [], () => [
  { at: 0, end: 1, name: "n", read: r.u8 }
]);
const Message_items_read = /*#__PURE__*/ new o.Routine(6, [0, 1], () => [
  [],
// [as in the base]
        [
          [o.extent, 2, Message_items_read_run, 0, 1, -Infinity],
          [o.fields, [3], Message_items_read_run, 0, 2, -Infinity],
          [o.add, 4, 0, 0, 2],
          [o.make, 5, Message_items_of, [3]]
        ],
// [as in the base]

function Message_items_read_usual(f, $at, $extent) {
  if (f.end - $at < $extent) r.refuse();
  let $n;
  if ($extent >= 1) {
    $n = f.b[$at];
  } else {
    [$n] = r.readRows(f, Message_items_read_run, $at, $extent, Infinity);
  }
// [as in the base]
  f.at = $at + $extent;
  return Message_items_of($n);
}
// [as in the base]
  [],
  [[o.head, [1, 2, 3], Message__message_head, 0, -2], [o.call, [4, 5], Message__read, [3, 1, 2]]],
  [4, 5]
// [as in the base]
  if (f.v.getUint16($start + 4, true) !== 1) r.refuse();
  if (f.depth < 2) r.refuse();
  const $record = Message__read_usual(
    f,
    $start + 8,
    f.v.getUint16($start, true),
    f.v.getUint16($start + 6, true)
  );
  const $at = f.at;
// [as in the base]

function Message__check(f, $at, $extent, $version) {
  if (f.end - $at < $extent) r.refuse();
  const $at_2 = $at + $extent;
  if (f.end - $at_2 < 4) r.refuse();
  const $blockLength = f.v.getUint16($at_2, true);
  const $at_3 = $at_2 + 4;
  const $count = f.v.getUint16($at_2 + 2, true);
  if (f.end - $at_3 < $count * $blockLength) r.refuse();
  if ((f.left -= $extent + 4) < 0) r.refuse();
  if ($blockLength === 0) {
    if ((f.left -= $count * 8) < 0) r.refuse();
  }
  if ((f.left -= $count * ($blockLength >= 1 ? 0 : r.lackWithin(
    Message__read_lacks,
    $blockLength,
    0,
    $version
  ))) < 0) r.refuse();
  let $next = $at_3;
  for (let $index = 0; $index < $count; $index++) {
    const $at_4 = $next;
    Message_items_check(f, $at_4, $blockLength);
    const $at_5 = f.at;
    $next = $at_5;
  }
  f.at = $next;
}

function Message_items_check(f, $at, $extent) {
  if (f.end - $at < $extent) r.refuse();
// [as in the base]
  if (f.v.getUint16($start + 4, true) !== 1) r.refuse();
  if (f.depth < 2) r.refuse();
  Message__check(f, $start + 8, f.v.getUint16($start, true), f.v.getUint16($start + 6, true));
  const $at = f.at;
// [as in the base]
function Message__write(f, $value) {
  let $path0, $path1;
  try {
    w.isRecord($value);
    const $items = $value.items;
    $path0 = "items";
    const $count = w.count($items);
    const $at = f.at;
// [as in the base]
    if (f.at > f.room) w.grow(f);
    f.v.setUint16($at, 1, true);
    if ($count > 65534) w.outOfRange();
    f.v.setUint16($at + 2, $count, true);
    for (let $index = 0; $index < $count; $index++) {
      const $item = $items[$index];
      $path1 = $index;
      Message_items_write(f, $item);
    }
    $path1 = undefined;
  } catch ($fault) {
    throw w.leave($fault, $path0, $path1);
  }
}

function Message_items_write(f, $value) {
  let $path0;
  try {
    w.isRecord($value);
    const $at = f.at;
    f.at = $at + 1;
    if (f.at > f.room) w.grow(f);
    const $n = $value.n;
    $path0 = "n";
    if (($n & 255) !== $n) w.noInteger($n, 8);
    f.v.setUint8($at, $n);
  } catch ($fault) {
// [as in the base]
  if (f.at > f.room) w.grow(f);
  f.v.setUint16($at, 0, true);
  f.v.setUint16($at + 2, 1, true);
// ==== feature.d.ts
// [as in the base]
export interface Message_ {
  items: Message_items[];
}

export interface Message_items {
  n: number;
}
// [as in the base]

/** One with these fields, and the defaults of others. */
export function newMessage_items(init?: Partial<Message_items>): Message_items;

/** The `feature.Message` that the bytes begin with, in form sbe. Throws CodecError. */
// ==== feature_json.js
// [as in the base]
import * as t from "@aldis/codec/json";
import { Message__of, Message_items_of } from "./feature.js";

// [as in the base]

const Message__json = /*#__PURE__*/ t.record(Message__of, () => [
  ["items", t.list(Message_items_json, t.asList), { absent: () => [] }]
]);
const Message_items_json = /*#__PURE__*/ t.record(Message_items_of, () => [["n", t.u8]]);

// ==== feature_view.js
// [as in the base]

class Message_items_view {
  constructor($, $at, $extent) {
    this.$ = $;
    this.$at = $at;
    this.$extent = $extent;
  }

  get n() {
    const f = v.look(this.$);
    const $at = this.$at;
    const $extent = this.$extent;
    let $n;
    if ($extent >= 1) {
      $n = f.b[$at];
    } else {
      $n = undefined;
    }
    return $n;
  }
}

function Message_items_skip(f, $at, $extent) {
  f.at = $at + $extent;
}

class Message__view {
// [as in the base]

  get items() {
    const f = v.look(this.$);
// [as in the base]
    const $extent = this.$extent;
    const $at_2 = $at + $extent;
    const $list = [];
    let $next = $at_2 + 4;
    const $count = f.v.getUint16($at_2 + 2, true);
    const $blockLength = f.v.getUint16($at_2, true);
    for (let $index = 0; $index < $count; $index++) {
      const $at_3 = $next;
      const $record = new Message_items_view(this.$, $at_3, $blockLength);
      Message_items_skip(f, $at_3, $blockLength);
      const $at_4 = f.at;
      $list.push($record);
      $next = $at_4;
    }
    const $list_2 = $list;
    return $list_2;
  }
// ==== feature_draft.js
// [as in the base]
d.needs("feature_draft.js", "0.1");
// ==== feature_draft.d.ts
// [as in the base]
import type { Draft } from "@aldis/codec";
import type {  } from "./feature.js";
