// ==== feature.js
// [as in the base]

export const Message__of = (count) => ({ count });

export function newMessage_(init) {
  return w.fresh(Message__of(null), init);
}

const Message__read_run = /*#__PURE__*/ new r.Run(2, -1, 0, [], () => [
  {
    at: 0,
    end: 2,
    name: "count",
    missing: () => null,
    read: (f, $at) => r.or(f.v.getUint16($at, true), 65535)
  }
]);
// [as in the base]
  if (f.end - $at < $extent) r.refuse();
  let $count;
  if ($extent >= 2) {
    $count = r.or(f.v.getUint16($at, true), 65535);
  } else {
    [$count] = r.readRows(f, Message__read_run, $at, $extent, Infinity);
  }
// [as in the base]
  f.at = $at + $extent;
  return Message__of($count);
}
// [as in the base]
    const $at = f.at;
    f.at = $at + 2;
    if (f.at > f.room) w.grow(f);
    const $count = $value.count;
    $path0 = "count";
    if ($count == null) {
      f.v.setUint16($at, 65535, true);
    } else {
      if (($count & 65535) !== $count) w.noInteger($count, 16);
      f.v.setUint16($at, $count, true);
    }
  } catch ($fault) {
// [as in the base]
  if (f.at > f.room) w.grow(f);
  f.v.setUint16($at, 2, true);
  f.v.setUint16($at + 2, 1, true);
// ==== feature.d.ts
// [as in the base]
export interface Message_ {
  count: number | null;
}
// ==== feature_json.js
// [as in the base]

const Message__json = /*#__PURE__*/ t.record(Message__of, () => [["count", t.optional(t.u16)]]);

// ==== feature_view.js
// [as in the base]

  get count() {
    const f = v.look(this.$);
// [as in the base]
    const $extent = this.$extent;
    let $count;
    if ($extent >= 2) {
      $count = r.or(f.v.getUint16($at, true), 65535);
    } else {
      $count = null;
    }
    return $count;
  }
// ==== feature_draft.js
// [as in the base]
class Message__draft extends d.Part {
  set count($value) {
    const f = this.$;
// [as in the base]
    try {
      if ($value == null) {
        f.v.setUint16($at, 65535, true);
      } else {
        if (($value & 65535) !== $value) w.noInteger($value, 16);
        f.v.setUint16($at, $value, true);
      }
    } catch ($fault) {
      throw w.leave($fault, "count");
    }
// ==== feature_draft.d.ts
// [as in the base]
export interface Message_Draft {
  get count(): undefined;
  set count(value: Message_["count"]);
}
