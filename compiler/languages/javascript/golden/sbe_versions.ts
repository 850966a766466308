// ==== feature.js
// [as in the base]

export const Message__of = (number_2, later) => ({ number: number_2, later });

export function newMessage_(init) {
  return w.fresh(Message__of(0, null), init);
}

const Message__read_run = /*#__PURE__*/ new r.Run(8, -1, 1, [], () => [
  { at: 0, end: 4, name: "number", read: r.u32 },
  { at: 4, end: 8, since: 1, name: "later", missing: () => null, read: r.u32 }
]);
const Message__read = /*#__PURE__*/ new o.Routine(8, [0, 1, 2], () => [
  [],
// [as in the base]
      o.level,
      [3, 4],
      0,
// [as in the base]
        [
          [o.extent, 3, Message__read_run, 0, 1, 2],
          [o.fields, [4, 5], Message__read_run, 0, 3, 2],
          [o.add, 6, 0, 0, 3],
          [o.make, 7, Message__of, [4, 5]]
        ],
        [7, 6]
      ]
// [as in the base]
  ],
  [3, 4]
]);

function Message__read_usual(f, $at, $extent, $version) {
  if (f.end - $at < $extent) r.refuse();
  let $number, $later;
  if ($extent >= 8 && $version >= 1) {
    $number = f.v.getUint32($at, true);
    $later = f.v.getUint32($at + 4, true);
  } else {
    [$number, $later] = r.readRows(f, Message__read_run, $at, $extent, $version);
  }
// [as in the base]
  f.at = $at + $extent;
  return Message__of($number, $later);
}
// [as in the base]
  [],
  [[o.head, [1, 2, 3], Message__message_head, 0, -2], [o.call, [4, 5], Message__read, [3, 1, 2]]],
  [4, 5]
// [as in the base]
  if (f.depth < 1) r.refuse();
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
// [as in the base]
  if (f.depth < 1) r.refuse();
  Message__check(f, $start + 8, f.v.getUint16($start, true), f.v.getUint16($start + 6, true));
  const $at = f.at;
// [as in the base]
    const $at = f.at;
    f.at = $at + 8;
    if (f.at > f.room) w.grow(f);
// [as in the base]
    f.v.setUint32($at, $number, true);
    const $later = $value.later;
    $path0 = "later";
    if ($later == null) {
      f.v.setUint32($at + 4, 4294967295, true);
    } else {
      if (($later >>> 0) !== $later) w.noInteger($later, 32);
      f.v.setUint32($at + 4, $later, true);
    }
  } catch ($fault) {
// [as in the base]
  if (f.at > f.room) w.grow(f);
  f.v.setUint16($at, 8, true);
  f.v.setUint16($at + 2, 1, true);
  f.v.setUint16($at + 4, 1, true);
  f.v.setUint16($at + 6, 1, true);
  Message__write(f, $value);
// ==== feature.d.ts
// [as in the base]
  number: number;
  later: number | null;
}
// ==== feature_json.js
// [as in the base]

const Message__json = /*#__PURE__*/ t.record(Message__of, () => [
  ["number", t.u32],
  ["later", t.u32, { none: () => null }]
]);

// ==== feature_view.js
// [as in the base]
    this.$extent = $extent;
    this.$version = $version;
  }
// [as in the base]
    const $extent = this.$extent;
    const $version = this.$version;
    let $number;
// [as in the base]
  }

  get later() {
    const f = v.look(this.$);
    const $at = this.$at;
    const $extent = this.$extent;
    const $version = this.$version;
    let $later;
    if ($version >= 1 && $extent >= 8) {
      $later = f.v.getUint32($at + 4, true);
    } else {
      $later = null;
    }
    return $later;
  }
}
// ==== feature_draft.js
// [as in the base]
  }
  set later($value) {
    const f = this.$;
    const $at = this.$at;
    try {
      if ($value == null) {
        f.v.setUint32($at + 4, 4294967295, true);
      } else {
        if (($value >>> 0) !== $value) w.noInteger($value, 32);
        f.v.setUint32($at + 4, $value, true);
      }
    } catch ($fault) {
      throw w.leave($fault, "later");
    }
  }
}
// ==== feature_draft.d.ts
// [as in the base]
  set number(value: Message_["number"]);
  get later(): undefined;
  set later(value: Message_["later"]);
}
