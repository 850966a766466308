// ==== feature.js
// [as in the base]
export function module$() {
  return "9ad79507e0c603a4";
}

export const Message__of = (size) => ({ size });

export function newMessage_(init) {
  return w.fresh(Message__of(null), init);
}

const Message__final_read = /*#__PURE__*/ new o.Routine(8, [0], () => [
  [],
// [as in the base]
        [
          [
            o.within,
            [1, 2],
            "size",
            [
              [],
              [
                [o.need, 1, 0, -2],
                [o.charge, -2, -2, 0],
                [o.load, 2, 0, 0, r.u8],
                [o.equal, 3, 2, -1],
                [o.add, 4, 0, 0, -2],
                [
                  o.branch,
                  [5, 6],
                  3,
                  [[], [[o.literal, 5, () => null]], [5, 4]],
                  [
                    [],
                    [
                      [o.need, 5, 4, -5],
                      [o.charge, -2, -5, 4],
                      [o.scalar, 6, 4, 0, r.i32],
                      [o.add, 7, 4, 0, -5]
                    ],
                    [6, 7]
                  ]
                ]
              ],
              [5, 6]
            ]
          ],
          [o.make, 3, Message__of, [1]]
        ],
        [3, 2]
      ]
// [as in the base]
function Message__final_read_usual(f, $at) {
  if (f.end - $at < 1) r.refuse();
  const $at_2 = $at + 1;
  if ((f.left -= 1) < 0) r.refuse();
  let $item, $at_3;
  if (f.b[$at] === 0) {
    $item = null;
    $at_3 = $at_2;
  } else {
    if (f.end - $at_2 < 4) r.refuse();
    if ((f.left -= 4) < 0) r.refuse();
    $item = f.v.getInt32($at_2, true);
    $at_3 = $at_2 + 4;
  }
  f.at = $at_3;
  return Message__of($item);
}
// [as in the base]
function Message__final_check(f, $at) {
  if (f.end - $at < 1) r.refuse();
  const $at_2 = $at + 1;
  if ((f.left -= 1) < 0) r.refuse();
  let $at_3;
  if (f.b[$at] === 0) {
    $at_3 = $at_2;
  } else {
    if (f.end - $at_2 < 4) r.refuse();
    if ((f.left -= 4) < 0) r.refuse();
    $at_3 = $at_2 + 4;
  }
  f.at = $at_3;
}
// [as in the base]
    w.isRecord($value);
    const $size = $value.size;
    $path0 = "size";
    const $at = f.at;
    f.at = $at + 1;
    if (f.at > f.room) w.grow(f);
    if ($size != null) {
      f.v.setUint8($at, 1);
      const $at_2 = f.at;
      f.at = $at_2 + 4;
      if (f.at > f.room) w.grow(f);
      if (($size | 0) !== $size) w.noInteger($size, -32);
      f.v.setInt32($at_2, $size, true);
    }
  } catch ($fault) {
// ==== feature.d.ts
// [as in the base]
export interface Message_ {
  size: number | null;
}
// ==== feature_json.js
// [as in the base]

const Message__json = /*#__PURE__*/ t.record(Message__of, () => [["size", t.optional(t.i32)]]);

// ==== feature_view.js
// [as in the base]

  get size() {
    const f = v.look(this.$);
    const $at = this.$at;
    let $item;
    if (f.b[$at] === 0) {
      $item = null;
    } else {
      $item = f.v.getInt32($at + 1, true);
    }
    return $item;
  }
// ==== feature_draft.js
// [as in the base]
d.needs("feature_draft.js", "0.1");
// ==== feature_draft.d.ts
// [as in the base]
import type { Draft } from "@aldis/codec";
import type {  } from "./feature.js";
