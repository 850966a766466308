// ==== feature.js
// [as in the base]
export function module$() {
  return "edc7287b6297f95e";
}

export const Message__of = (name) => ({ name });

export function newMessage_(init) {
  return w.fresh(Message__of(""), init);
}

const Message__read_run = /*#__PURE__*/ new r.Run(12, 8, 0, [[12, 24]], () => [
  { at: 0, end: 4, register: "size", extent: r.u32 },
  { at: 4, end: 8, register: "type" },
  { at: 8, end: 12, name: "name" }
]);
const Message__read_lacks = [[[12, 4]], [], []];
const Message__read_head = /*#__PURE__*/ new r.Run(4, 0, 0, [], () => [
  { at: 0, end: 4, register: "count", read: r.u32 }
]);
const Message__read = /*#__PURE__*/ new o.Routine(12, [0, 1, 2], () => [
  [],
// [as in the base]
          [o.charge, -2, 4, 0],
          [o.load, 5, 0, 4, r.u32],
          [o.expect, 5, 1, 0, 4, 2],
          [o.present, 6, 0, 12, 3, -Infinity],
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
                  "name",
                  [
                    [],
                    [
                      [o.load, 7, 0, 8, r.u32],
                      [o.equal, 8, 7, -1],
                      [
                        o.branch,
                        [9],
                        8,
                        [[], [[o.literal, 9, () => ""]], [9]],
                        [
                          [],
                          [
                            [o.follow, 9, 0, 7, 0, 8],
                            [o.counted, [10, 11], Message__read_head, 9, -1, r.utf8]
                          ],
                          [10]
                        ]
                      ]
                    ],
                    [9]
                  ]
                ]
              ],
              [7]
            ],
            [[], [[o.literal, 7, () => ""]], [7]]
          ],
          [o.add, 8, 0, 0, 3],
          [o.make, 9, Message__of, [7]]
        ],
        [9, 8]
      ]
// [as in the base]
  if (f.end - $at < $size) r.refuse();
  if (f.v.getUint32($at + 4, true) !== 1) r.refuse();
  if ((f.left -= $size + (f.surcharge ? ($size >= 12 ? 24 : r.extraWithin(
    Message__read_run,
    $size
  )) : 0) + ($size >= 12 ? 0 : r.lackWithin(Message__read_lacks, $size, 0, $version))) < 0) r.refuse();
  let $name;
  if ($size >= 12) {
    const $offset = f.v.getUint32($at + 8, true);
    let $value;
    if ($offset === 0) {
      $value = "";
    } else {
      const $at_2 = $at + $offset;
      if (f.end - $at_2 < 4) r.refuse();
      const $length = f.v.getUint32($at_2, true);
      const $from = $at_2 + 4;
      if (f.end - $from < $length) r.refuse();
      const $stop = $from + $length;
      if ((f.left -= 4 + $length) < 0) r.refuse();
      $value = r.utf8(f, $from, $stop);
    }
    $name = $value;
  } else {
    $name = "";
  }
  return Message__of($name);
}
// [as in the base]
  if (f.v.getUint32($at + 4, true) !== 1) r.refuse();
  if ((f.left -= $size + (f.surcharge ? ($size >= 12 ? 24 : r.extraWithin(
    Message__read_run,
    $size
  )) : 0) + ($size >= 12 ? 0 : r.lackWithin(Message__read_lacks, $size, 0, $version))) < 0) r.refuse();
  if ($size >= 12) {
    const $offset = f.v.getUint32($at + 8, true);
    if ($offset !== 0) {
      const $at_2 = $at + $offset;
      if (f.end - $at_2 < 4) r.refuse();
      const $at_3 = $at_2 + 4;
      const $count = f.v.getUint32($at_2, true);
      if (f.end - $at_3 < $count) r.refuse();
      if ((f.left -= 4 + $count) < 0) r.refuse();
    }
  }
}
// [as in the base]
    const $at = f.at;
    const $at_2 = f.at;
    f.at = $at_2 + 12;
    if (f.at > f.room) w.grow(f);
    f.v.setUint32($at_2, 12, true);
    f.v.setUint32($at_2 + 4, 1, true);
    const $name = $value.name;
    $path0 = "name";
    f.v.setUint32($at_2 + 8, f.at - $at, true);
    const $size = w.putText(f, $name, 4);
    const $at_3 = f.at;
    f.at = $at_3 + 4;
    if (f.at > f.room) w.grow(f);
    if ($size > 4294967295) w.outOfRange();
    f.v.setUint32($at_3, $size, true);
    f.at = f.at + $size;
  } catch ($fault) {
// ==== feature.d.ts
// [as in the base]
export interface Message_ {
  name: string;
}
// ==== feature_json.js
// [as in the base]

const Message__json = /*#__PURE__*/ t.record(Message__of, () => [["name", t.utf8, { absent: () => "" }]]);

// ==== feature_view.js
// [as in the base]

  get name() {
    const f = v.look(this.$);
    const $at = this.$at;
    let $name;
    if (f.v.getUint32($at, true) >= 12) {
      const $offset = f.v.getUint32($at + 8, true);
      let $value;
      if ($offset === 0) {
        $value = "";
      } else {
        const $at_2 = $at + $offset;
        if ($at_2 > f.end) r.refuse();
        $value = r.utf8(f, $at_2 + 4, $at_2 + 4 + f.v.getUint32($at_2, true));
      }
      $name = $value;
    } else {
      $name = "";
    }
    return $name;
  }
// ==== feature_draft.js
// [as in the base]
d.needs("feature_draft.js", "0.1");
// ==== feature_draft.d.ts
// [as in the base]
import type { Draft } from "@aldis/codec";
import type {  } from "./feature.js";
