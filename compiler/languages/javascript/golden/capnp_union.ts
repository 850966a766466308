// ==== feature.js
// [as in the base]
export function module$() {
  return "c931c8153b77de93";
}

export const Message__of = (choice) => ({ choice });

export function Message__2_of(tag, value) {
  switch (tag) {
    case 0: return { which: "amount", value };
    case 1: return { which: "nothing", value };
    default: return { which: null, tag, value: null };
  }
}

function Message__2_number(value) {
  switch (value.which) {
    case "amount": return 0;
    case "nothing": return 1;
    default: return w.tagOf(value);
  }
}

export function newMessage_(init) {
  return w.fresh(Message__of(Message__2_of(0, 0n)), init);
}

const Message__read = /*#__PURE__*/ new o.Routine(7, [0, 1], () => [
  [],
// [as in the base]
      0,
      [
        [],
        [
          [o.present, 2, 0, 10, 1, -Infinity],
          [o.branch, [3], 2, [[], [[o.load, 3, 0, 8, r.u16]], [3]], [[], [], [-1]]],
          [
            o.choose,
            [4],
            3,
            [
              [
                0,
                [
                  [],
                  [
                    [o.present, 4, 0, 8, 1, -Infinity],
                    [
                      o.branch,
                      [5],
                      4,
                      [[], [[o.scalar, 5, 0, 0, r.i64]], [5]],
                      [[], [[o.literal, 5, () => 0n]], [5]]
                    ]
                  ],
                  [5]
                ]
              ],
              [1, [[], [[o.literal, 4, () => null]], [4]]]
            ],
            [[], [[o.literal, 4, () => null]], [4]]
          ],
          [o.arm, 5, Message__2_of, 3, 4],
          [o.make, 6, Message__of, [5]]
        ],
        [6]
      ]
    ]
// [as in the base]
function Message__read_usual(f, $data, $dataSize) {
  let $tag;
  if ($dataSize >= 10) {
    $tag = f.v.getUint16($data + 8, true);
  } else {
    $tag = 0;
  }
  let $amount;
  switch ($tag) {
    case 0:
      let $amount_2;
      if ($dataSize >= 8) {
        $amount_2 = f.v.getBigInt64($data, true);
      } else {
        $amount_2 = 0n;
      }
      $amount = $amount_2;
      break;
    case 1:
      $amount = null;
      break;
    default:
      $amount = null;
      break;
  }
  return Message__of(Message__2_of($tag, $amount));
}
// [as in the base]

function Message__check(f, $data, $dataSize) {
  let $tag;
  if ($dataSize >= 10) {
    $tag = f.v.getUint16($data + 8, true);
  } else {
    $tag = 0;
  }
}
// [as in the base]
  if (f.depth < 1) r.refuse();
  Message__check(f, $start_2, $dataSize);
  f.at = f.end;
// [as in the base]
    w.isRecord($value);
    const $_ = $value.choice;
    w.isRecord($_);
    const $tag = Message__2_number($_);
    const $arm = $_.value;
    if ($tag > 65535) w.outOfRange();
    f.v.setUint16($at + 8, $tag, true);
    switch ($tag) {
      case 0:
        $path0 = "amount";
        let $big = $arm;
        if (typeof $big !== "bigint" || BigInt.asIntN(64, $big) !== $big) {
          $big = w.i64Of($big);
        }
        f.v.setBigInt64($at, $big, true);
        break;
      case 1:
        $path0 = "nothing";
        w.isSame($arm, null);
        break;
    }
  } catch ($fault) {
// [as in the base]
  const $at_2 = f.at;
  f.at = $at_2 + 16;
  if (f.at > f.room) w.grow(f);
  w.point(f, $at, $at_2, 0, 2);
  Message__write(f, $value, $at_2);
// [as in the base]
  Message__of as Message$of,
  Message__2_of as Message$$of,
  Message__2_number as Message$$number,
};
// ==== feature.d.ts
// [as in the base]
export interface Message_ {
  choice: Message__2;
}

export type Message__2 = { which: "amount"; value: bigint } | { which: "nothing"; value: null } | { which: null; tag: number; value: null };

/** One with these fields, and the defaults of others. */
// ==== feature_json.js
// [as in the base]
import * as t from "@aldis/codec/json";
import { Message__2_of, Message__of } from "./feature.js";

// [as in the base]
const Message__json = /*#__PURE__*/ t.shape(Message__of, () => [
  ["choice", Message__2_json, { unnamed: true, absent: () => Message__2_of(0, 0n) }]
]);
const Message__2_json = /*#__PURE__*/ t.choice(Message__2_of, () => [
  [0, "amount", t.wide(t.i64), { absent: () => 0n }],
  [1, "nothing", t.nothing, { absent: () => undefined }]
]);
// [as in the base]
  Message__json as Message$json,
  Message__2_json as Message$$json,
  message_ToJson as Message$ToJson,
// ==== feature_view.js
// [as in the base]
import * as c from "./feature.js";
import { Message__2_of } from "./feature.js";

// [as in the base]

  get choice() {
    const f = v.look(this.$);
// [as in the base]
    const $dataSize = this.$dataSize;
    let $tag;
    if ($dataSize >= 10) {
      $tag = f.v.getUint16($data + 8, true);
    } else {
      $tag = 0;
    }
    let $amount;
    switch ($tag) {
      case 0:
        let $amount_2;
        if ($dataSize >= 8) {
          $amount_2 = f.v.getBigInt64($data, true);
        } else {
          $amount_2 = 0n;
        }
        $amount = $amount_2;
        break;
      case 1:
        $amount = null;
        break;
      default:
        $amount = null;
        break;
    }
    return Message__2_of($tag, $amount);
  }
// ==== feature_draft.js
// [as in the base]
d.needs("feature_draft.js", "0.1");
// ==== feature_draft.d.ts
// [as in the base]
import type { Draft } from "@aldis/codec";
import type {  } from "./feature.js";
