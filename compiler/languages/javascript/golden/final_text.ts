// ==== feature.js
// [as in the base]
export function module$() {
  return "a44ddf180d675d31";
}

export const Message__of = (name) => ({ name });

export function newMessage_(init) {
  return w.fresh(Message__of(""), init);
}

const Message__final_read_head = /*#__PURE__*/ new r.Run(4, 0, 0, [], () => [
  { at: 0, end: 4, register: "count", read: r.u32 }
]);
const Message__final_read = /*#__PURE__*/ new o.Routine(5, [0, 1], () => [
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
            "name",
            [[], [[o.counted, [2, 3], Message__final_read_head, 0, 1, r.utf8]], [2, 3]]
          ],
          [o.make, 4, Message__of, [2]]
// [as in the base]
  ],
  [2, 3]
]);
// [as in the base]
  if (f.end - $at < 4) r.refuse();
  const $length = f.v.getUint32($at, true);
  const $from = $at + 4;
  if (f.end - $from < $length) r.refuse();
  const $stop = $from + $length;
  if ((f.left -= 4 + $length) < 0) r.refuse();
  f.at = $stop;
  return Message__of(r.utf8(f, $from, $stop));
}
// [as in the base]
    [o.head, [1, 2], Message__final_message_head, 0, -2],
    [o.call, [3, 4], Message__final_read, [2, -2]],
    [o.same, 1, 4, 0, 0]
// [as in the base]
  if (f.end - $at < 4) r.refuse();
  const $at_2 = $at + 4;
  const $count = f.v.getUint32($at, true);
  if (f.end - $at_2 < $count) r.refuse();
  if ((f.left -= 4 + $count) < 0) r.refuse();
  f.at = $at_2 + $count;
}
// [as in the base]
    w.isRecord($value);
    const $name = $value.name;
    $path0 = "name";
    const $size = w.putText(f, $name, 4);
    const $at = f.at;
// [as in the base]
    if (f.at > f.room) w.grow(f);
    if ($size > 4294967295) w.outOfRange();
    f.v.setUint32($at, $size, true);
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
    return r.utf8(f, $at + 4, $at + 4 + f.v.getUint32($at, true));
  }
// ==== feature_draft.js
// [as in the base]
d.needs("feature_draft.js", "0.1");
// ==== feature_draft.d.ts
// [as in the base]
import type { Draft } from "@aldis/codec";
import type {  } from "./feature.js";
