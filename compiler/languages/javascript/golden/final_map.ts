// ==== feature.js
// [as in the base]
export function module$() {
  return "c802cb7d1636151a";
}

export const Message__of = (sizes) => ({ sizes });

export function newMessage_(init) {
  return w.fresh(Message__of(new Map()), init);
}

const Message__final_read_head = /*#__PURE__*/ new r.Run(4, 0, 0, [], () => [
  { at: 0, end: 4, register: "count", read: r.u32 }
]);
const Message__final_read = /*#__PURE__*/ new o.Routine(14, [0, 1], () => [
  [],
// [as in the base]
      o.level,
      [2, 3],
      0,
// [as in the base]
        [
          [
            o.within,
            [2, 3],
            "sizes",
            [
              [],
              [
                [o.head, [2, 3], Message__final_read_head, 0, 1],
                [o.fit, 4, 2, -9, 3, 0],
                [
                  o.each,
                  [5, 6],
                  4,
                  [3],
                  r.asMap(r.orderValues),
                  [
                    [5, 6],
                    [
                      [o.need, 7, 6, -5],
                      [o.charge, -2, -5, 6],
                      [o.scalar, 8, 6, 0, r.i32],
                      [o.add, 9, 6, 0, -5],
                      [o.add, 10, 6, 0, -5],
                      [o.need, 11, 10, -5],
                      [o.charge, -2, -5, 10],
                      [o.scalar, 12, 6, 4, r.i32],
                      [o.add, 13, 10, 0, -5]
                    ],
                    [8, 12, 13]
                  ]
                ]
              ],
              [5, 6]
            ]
          ],
          [o.make, 4, Message__of, [2]]
// [as in the base]
  ],
  [2, 3]
]);
// [as in the base]
  if (f.end - $at < 4) r.refuse();
  const $at_2 = $at + 4;
  const $count = f.v.getUint32($at, true);
  if (f.end - $at_2 < $count * 8) r.refuse();
  if ((f.left -= 4) < 0) r.refuse();
  const $list = [];
  let $next = $at_2;
  for (let $index = 0; $index < $count; $index++) {
    const $at_3 = $next;
    if (f.end - $at_3 < 4) r.refuse();
    const $at_4 = $at_3 + 4;
    if (f.end - $at_4 < 4) r.refuse();
    if ((f.left -= 8) < 0) r.refuse();
    $list.push(f.v.getInt32($at_3, true), f.v.getInt32($at_3 + 4, true));
    $next = $at_4 + 4;
  }
  const $list_2 = r.asMap(r.orderValues)($list);
  f.at = $next;
  return Message__of($list_2);
}
// [as in the base]
    [o.head, [1, 2], Message__final_message_head, 0, -2],
    [o.call, [3, 4], Message__final_read, [2, -2]],
    [o.same, 1, 4, 0, 0]
// [as in the base]
  if (f.end - $at < 4) r.refuse();
  const $at_2 = $at + 4;
  const $count = f.v.getUint32($at, true);
  if (f.end - $at_2 < $count * 8) r.refuse();
  if ((f.left -= 4) < 0) r.refuse();
  let $next = $at_2;
  for (let $index = 0; $index < $count; $index++) {
    const $at_3 = $next;
    if (f.end - $at_3 < 4) r.refuse();
    const $at_4 = $at_3 + 4;
    if (f.end - $at_4 < 4) r.refuse();
    if ((f.left -= 8) < 0) r.refuse();
    $next = $at_4 + 4;
  }
  f.at = $next;
}
// [as in the base]
function Message__final_write(f, $value) {
  let $path0, $path1;
  try {
    w.isRecord($value);
    const $sizes = $value.sizes;
    $path0 = "sizes";
    const $sorted = w.sortedMap($sizes, r.orderValues);
    const $count = w.count($sorted);
    const $at = f.at;
// [as in the base]
    if (f.at > f.room) w.grow(f);
    if ($count > 4294967295) w.outOfRange();
    f.v.setUint32($at, $count, true);
    const $at_2 = f.at;
    f.at = $at_2 + $count * 8;
    if (f.at > f.room) w.grow(f);
    for (let $index = 0; $index < $count; $index++) {
      const $entry = $sorted[$index];
      const $key = $entry[0];
      const $value_2 = $entry[1];
      $path1 = $index;
      const $at_3 = $at_2 + $index * 8;
      if (($key | 0) !== $key) w.noInteger($key, -32);
      f.v.setInt32($at_3, $key, true);
      if (($value_2 | 0) !== $value_2) w.noInteger($value_2, -32);
      f.v.setInt32($at_3 + 4, $value_2, true);
    }
    $path1 = undefined;
  } catch ($fault) {
    throw w.leave($fault, $path0, $path1);
  }
// ==== feature.d.ts
// [as in the base]
export interface Message_ {
  sizes: Map<number, number>;
}
// ==== feature_json.js
// [as in the base]

const Message__json = /*#__PURE__*/ t.record(Message__of, () => [
  ["sizes", t.map(t.i32, t.i32, t.asMap(t.orderValues)), { absent: () => new Map() }]
]);

// ==== feature_view.js
// [as in the base]

  get sizes() {
    const f = v.look(this.$);
    const $at = this.$at;
    const $list = [];
    let $next = $at + 4;
    const $count = f.v.getUint32($at, true);
    for (let $index = 0; $index < $count; $index++) {
      const $at_2 = $next;
      $list.push(f.v.getInt32($at_2, true), f.v.getInt32($at_2 + 4, true));
      $next = $at_2 + 4 + 4;
    }
    const $list_2 = r.asMap(r.orderValues)($list);
    return $list_2;
  }
// ==== feature_draft.js
// [as in the base]
d.needs("feature_draft.js", "0.1");
// ==== feature_draft.d.ts
// [as in the base]
import type { Draft } from "@aldis/codec";
import type {  } from "./feature.js";
