// ==== feature.js
// [as in the base]
export function module$() {
  return "c0440cb183088859";
}

export const Message__of = (names) => ({ names });

export function newMessage_(init) {
  return w.fresh(Message__of(["", ""]), init);
}

const Message__read_run = /*#__PURE__*/ new r.Run(16, 8, 0, [[16, 48]], () => [
  { at: 0, end: 4, register: "size", extent: r.u32 },
  { at: 4, end: 8, register: "type" },
  { at: 8, end: 16, name: "names" }
]);
const Message__read_lacks = [[[16, 8]], [], []];
const Message__read_head = /*#__PURE__*/ new r.Run(4, 0, 0, [], () => [
  { at: 0, end: 4, register: "count", read: r.u32 }
]);
const Message__read = /*#__PURE__*/ new o.Routine(14, [0, 1, 2], () => [
  [],
// [as in the base]
          [o.charge, -2, 4, 0],
          [o.load, 5, 0, 4, r.u32],
          [o.expect, 5, 1, 0, 4, 2],
          [o.present, 6, 0, 16, 3, -Infinity],
          [
            o.branch,
            [7],
            6,
            [
              [],
              [
                [
                  o.within,
                  [7],
                  "names",
                  [
                    [],
                    [
                      [
                        o.each,
                        [7],
                        -3,
                        [],
                        r.asList,
                        [
                          [7],
                          [
                            [o.element, 8, 0, 8, 7, 4],
                            [o.load, 9, 8, 0, r.u32],
                            [o.equal, 10, 9, -1],
                            [
                              o.branch,
                              [11],
                              10,
                              [[], [[o.literal, 11, () => ""]], [11]],
                              [
                                [],
                                [
                                  [o.follow, 11, 0, 9, 8, 0],
                                  [o.counted, [12, 13], Message__read_head, 11, -1, r.utf8]
                                ],
                                [12]
                              ]
                            ]
                          ],
                          [11]
                        ]
                      ]
                    ],
                    [7]
                  ]
                ]
              ],
              [7]
            ],
            [[], [[o.literal, 7, () => ["", ""]]], [7]]
          ],
          [o.add, 8, 0, 0, 3],
          [o.make, 9, Message__of, [7]]
        ],
        [9, 8]
      ]
// [as in the base]
  if (f.end - $at < $size) r.refuse();
  if (f.v.getUint32($at + 4, true) !== 1) r.refuse();
  if ((f.left -= $size + (f.surcharge ? ($size >= 16 ? 48 : r.extraWithin(
    Message__read_run,
    $size
  )) : 0) + ($size >= 16 ? 0 : r.lackWithin(Message__read_lacks, $size, 0, $version))) < 0) r.refuse();
  let $names;
  if ($size >= 16) {
    const $list = [];
    for (let $index = 0; $index < 2; $index++) {
      const $at_2 = $at + 8 + $index * 4;
      const $offset = f.v.getUint32($at_2, true);
      let $value;
      if ($offset === 0) {
        $value = "";
      } else {
        const $at_3 = $at + $offset;
        if (f.end - $at_3 < 4) r.refuse();
        const $length = f.v.getUint32($at_3, true);
        const $from = $at_3 + 4;
        if (f.end - $from < $length) r.refuse();
        const $stop = $from + $length;
        if ((f.left -= 4 + $length) < 0) r.refuse();
        $value = r.utf8(f, $from, $stop);
      }
      $list.push($value);
    }
    const $list_2 = $list;
    $names = $list_2;
  } else {
    $names = ["", ""];
  }
  return Message__of($names);
}
// [as in the base]
  if (f.v.getUint32($at + 4, true) !== 1) r.refuse();
  if ((f.left -= $size + (f.surcharge ? ($size >= 16 ? 48 : r.extraWithin(
    Message__read_run,
    $size
  )) : 0) + ($size >= 16 ? 0 : r.lackWithin(Message__read_lacks, $size, 0, $version))) < 0) r.refuse();
  if ($size >= 16) {
    for (let $index = 0; $index < 2; $index++) {
      const $at_2 = $at + 8 + $index * 4;
      const $offset = f.v.getUint32($at_2, true);
      if ($offset !== 0) {
        const $at_3 = $at + $offset;
        if (f.end - $at_3 < 4) r.refuse();
        const $at_4 = $at_3 + 4;
        const $count = f.v.getUint32($at_3, true);
        if (f.end - $at_4 < $count) r.refuse();
        if ((f.left -= 4 + $count) < 0) r.refuse();
      }
    }
  }
}
// [as in the base]
function Message__write(f, $value) {
  let $path0, $path1;
  try {
// [as in the base]
    const $at = f.at;
    const $at_2 = f.at;
    f.at = $at_2 + 16;
    if (f.at > f.room) w.grow(f);
    f.v.setUint32($at_2, 16, true);
    f.v.setUint32($at_2 + 4, 1, true);
    const $names = $value.names;
    $path0 = "names";
    w.exactly($names, 2, "out-of-range");
    for (let $index = 0; $index < 2; $index++) {
      const $item = $names[$index];
      $path1 = $index;
      const $at_3 = $at_2 + 8 + $index * 4;
      f.v.setUint32($at_3, f.at - $at, true);
      const $size = w.putText(f, $item, 4);
      const $at_4 = f.at;
      f.at = $at_4 + 4;
      if (f.at > f.room) w.grow(f);
      if ($size > 4294967295) w.outOfRange();
      f.v.setUint32($at_4, $size, true);
      f.at = f.at + $size;
    }
    $path1 = undefined;
  } catch ($fault) {
    throw w.leave($fault, $path0, $path1);
  }
// ==== feature.d.ts
// [as in the base]
export interface Message_ {
  names: string[];
}
// ==== feature_json.js
// [as in the base]

const Message__json = /*#__PURE__*/ t.record(Message__of, () => [
  ["names", t.list(t.utf8, t.asList, 2), { absent: () => ["", ""] }]
]);

// ==== feature_view.js
// [as in the base]

  get names() {
    const f = v.look(this.$);
    const $at = this.$at;
    let $names;
    if (f.v.getUint32($at, true) >= 16) {
      const $list = [];
      for (let $index = 0; $index < 2; $index++) {
        const $at_2 = $at + 8 + $index * 4;
        const $offset = f.v.getUint32($at_2, true);
        let $value;
        if ($offset === 0) {
          $value = "";
        } else {
          const $at_3 = $at + $offset;
          if ($at_3 > f.end) r.refuse();
          $value = r.utf8(f, $at_3 + 4, $at_3 + 4 + f.v.getUint32($at_3, true));
        }
        $list.push($value);
      }
      const $list_2 = $list;
      $names = $list_2;
    } else {
      $names = ["", ""];
    }
    return $names;
  }
// ==== feature_draft.js
// [as in the base]
d.needs("feature_draft.js", "0.1");
// ==== feature_draft.d.ts
// [as in the base]
import type { Draft } from "@aldis/codec";
import type {  } from "./feature.js";
