// ==== feature.js
// [as in the base]

export const Message__of = (note) => ({ note });

export function newMessage_(init) {
  return w.fresh(Message__of(""), init);
}

const Message__read_head = /*#__PURE__*/ new r.Run(0, -1, 0, [], () => []);
const Message__read_head_2 = /*#__PURE__*/ new r.Run(2, 0, 0, [], () => [
  { at: 0, end: 2, register: "length", read: r.u16 }
]);
const Message__read = /*#__PURE__*/ new o.Routine(7, [0, 1], () => [
  [],
// [as in the base]
        [
          [o.extent, 2, Message__read_head, 0, 1, -Infinity],
          [o.add, 3, 0, 0, 2],
          [
            o.within,
            [4, 5],
            "note",
            [[], [[o.counted, [4, 5], Message__read_head_2, 3, -1, r.utf8]], [4, 5]]
          ],
          [o.make, 6, Message__of, [4]]
        ],
        [6, 5]
      ]
// [as in the base]
  if (f.end - $at < $extent) r.refuse();
  const $at_2 = $at + $extent;
  if (f.end - $at_2 < 2) r.refuse();
  const $length = f.v.getUint16($at_2, true);
  const $from = $at_2 + 2;
  if (f.end - $from < $length) r.refuse();
  const $stop = $from + $length;
  if ((f.left -= $extent + 2 + $length) < 0) r.refuse();
  f.at = $stop;
  return Message__of(r.utf8(f, $from, $stop));
}
// [as in the base]
  if (f.end - $at < $extent) r.refuse();
  const $at_2 = $at + $extent;
  if (f.end - $at_2 < 2) r.refuse();
  const $at_3 = $at_2 + 2;
  const $count = f.v.getUint16($at_2, true);
  if (f.end - $at_3 < $count) r.refuse();
  if ((f.left -= $extent + 2 + $count) < 0) r.refuse();
  f.at = $at_3 + $count;
}
// [as in the base]
    w.isRecord($value);
    const $note = $value.note;
    $path0 = "note";
    const $size = w.putText(f, $note, 2);
    const $at = f.at;
    f.at = $at + 2;
    if (f.at > f.room) w.grow(f);
    if ($size > 65534) w.outOfRange();
    f.v.setUint16($at, $size, true);
    f.at = f.at + $size;
  } catch ($fault) {
// [as in the base]
  if (f.at > f.room) w.grow(f);
  f.v.setUint16($at, 0, true);
  f.v.setUint16($at + 2, 1, true);
// ==== feature.d.ts
// [as in the base]
export interface Message_ {
  note: string;
}
// ==== feature_json.js
// [as in the base]

const Message__json = /*#__PURE__*/ t.record(Message__of, () => [["note", t.utf8, { absent: () => "" }]]);

// ==== feature_view.js
// [as in the base]

  get note() {
    const f = v.look(this.$);
// [as in the base]
    const $extent = this.$extent;
    const $at_2 = $at + $extent;
    return r.utf8(f, $at_2 + 2, $at_2 + 2 + f.v.getUint16($at_2, true));
  }
// ==== feature_draft.js
// [as in the base]
d.needs("feature_draft.js", "0.1");
// ==== feature_draft.d.ts
// [as in the base]
import type { Draft } from "@aldis/codec";
import type {  } from "./feature.js";
