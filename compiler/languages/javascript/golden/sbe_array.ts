// ==== feature.js
// [as in the base]

export const Message__of = (row) => ({ row });

export function newMessage_(init) {
  return w.fresh(Message__of(new Int16Array(3)), init);
}

const Message__read_run = /*#__PURE__*/ new r.Run(6, -1, 0, [[6, 18]], () => [
  { at: 0, end: 6, name: "row", read: r.array(3, 2, r.i16, r.asArray(Int16Array)) }
]);
// [as in the base]
  if (f.end - $at < $extent) r.refuse();
  let $row;
  if ($extent >= 6) {
    $row = r.values(f, $at, 3, 2, r.i16, r.asArray(Int16Array));
  } else {
    [$row] = r.readRows(f, Message__read_run, $at, $extent, Infinity);
  }
  if ((f.left -= $extent + (f.surcharge ? ($extent >= 6 ? 18 : r.extraWithin(
    Message__read_run,
    $extent
  )) : 0)) < 0) r.refuse();
  f.at = $at + $extent;
  return Message__of($row);
}
// [as in the base]
  if (f.end - $at < $extent) r.refuse();
  if ((f.left -= $extent + (f.surcharge ? ($extent >= 6 ? 18 : r.extraWithin(
    Message__read_run,
    $extent
  )) : 0)) < 0) r.refuse();
  f.at = $at + $extent;
// [as in the base]
function Message__write(f, $value) {
  let $path0, $path1;
  try {
// [as in the base]
    const $at = f.at;
    f.at = $at + 6;
    if (f.at > f.room) w.grow(f);
    const $row = $value.row;
    $path0 = "row";
    w.exactly($row, 3, "out-of-range");
    for (let $index = 0; $index < 3; $index++) {
      const $item = $row[$index];
      const $at_2 = $at + $index * 2;
      $path1 = $index;
      if ((($item << 16) >> 16) !== $item) w.noInteger($item, -16);
      f.v.setInt16($at_2, $item, true);
    }
    $path1 = undefined;
  } catch ($fault) {
    throw w.leave($fault, $path0, $path1);
  }
// [as in the base]
  if (f.at > f.room) w.grow(f);
  f.v.setUint16($at, 6, true);
  f.v.setUint16($at + 2, 1, true);
// ==== feature.d.ts
// [as in the base]
export interface Message_ {
  row: Int16Array;
}
// ==== feature_json.js
// [as in the base]

const Message__json = /*#__PURE__*/ t.record(Message__of, () => [
  ["row", t.list(t.i16, t.asArray(Int16Array), 3)]
]);

// ==== feature_view.js
// [as in the base]

  get row() {
    const f = v.look(this.$);
// [as in the base]
    const $extent = this.$extent;
    let $row;
    if ($extent >= 6) {
      $row = r.values(f, $at, 3, 2, r.i16, r.asArray(Int16Array));
    } else {
      $row = undefined;
    }
    return $row;
  }
// ==== feature_draft.js
// [as in the base]
class Message__draft extends d.Part {
  set row($value) {
    const f = this.$;
    const $at = this.$at;
    let $path0;
    try {
      w.exactly($value, 3, "out-of-range");
      for (let $index = 0; $index < 3; $index++) {
        const $item = $value[$index];
        const $at_2 = $at + $index * 2;
        $path0 = $index;
        if ((($item << 16) >> 16) !== $item) w.noInteger($item, -16);
        f.v.setInt16($at_2, $item, true);
      }
    } catch ($fault) {
      throw w.leave($fault, "row", $path0);
    }
// ==== feature_draft.d.ts
// [as in the base]
export interface Message_Draft {
  get row(): undefined;
  set row(value: Message_["row"]);
}
