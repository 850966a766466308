// ==== feature.js
// [as in the base]
export function module$() {
  return "b4d06dfbd7508dcf";
}

export const Message__of = (price) => ({ price });

export function newMessage_(init) {
  return w.fresh(Message__of(new r.Decimal(false, 0n, 0)), init);
}

const Message__read_run = /*#__PURE__*/ new r.Run(24, 8, 0, [], () => [
  { at: 0, end: 4, register: "size", extent: r.u32 },
  { at: 4, end: 8, register: "type" },
  { at: 8, end: 24, name: "price" }
]);
const Message__read_lacks = [[[24, 4]], [], []];
const Message__read = /*#__PURE__*/ new o.Routine(10, [0, 1, 2], () => [
  [],
// [as in the base]
          [o.charge, -2, 4, 0],
          [o.load, 5, 0, 4, r.u32],
          [o.expect, 5, 1, 0, 4, 2],
          [o.present, 6, 0, 24, 3, -Infinity],
          [
            o.branch,
            [7],
            6,
            [[], [[o.within, [7], "price", [[], [[o.decimal, 7, 0, 8]], [7]]]], [7]],
            [[], [[o.literal, 7, () => new r.Decimal(false, 0n, 0)]], [7]]
          ],
          [o.add, 8, 0, 0, 3],
          [o.make, 9, Message__of, [7]]
        ],
        [9, 8]
      ]
// [as in the base]
  if (f.end - $at < $size) r.refuse();
  if (f.v.getUint32($at + 4, true) !== 1) r.refuse();
  if ((f.left -= $size + ($size >= 24 ? 0 : r.lackWithin(
    Message__read_lacks,
    $size,
    0,
    $version
  ))) < 0) r.refuse();
  let $price;
  if ($size >= 24) {
    $price = r.decimal(f, $at + 8);
  } else {
    $price = new r.Decimal(false, 0n, 0);
  }
  return Message__of($price);
}
// [as in the base]
  if (f.v.getUint32($at + 4, true) !== 1) r.refuse();
  if ((f.left -= $size + ($size >= 24 ? 0 : r.lackWithin(
    Message__read_lacks,
// [as in the base]
  ))) < 0) r.refuse();
  if ($size >= 24) r.decimal(f, $at + 8);
}
// [as in the base]
    const $at = f.at;
    f.at = $at + 24;
    if (f.at > f.room) w.grow(f);
    f.v.setUint32($at, 24, true);
    f.v.setUint32($at + 4, 1, true);
    const $price = $value.price;
    $path0 = "price";
    w.putDecimal(f, $at + 8, $price);
  } catch ($fault) {
// ==== feature.d.ts
// [as in the base]
export interface Message_ {
  price: Decimal;
}
// ==== feature_json.js
// [as in the base]

const Message__json = /*#__PURE__*/ t.record(Message__of, () => [
  ["price", t.decimal, { absent: () => new t.Decimal(false, 0n, 0) }]
]);

// ==== feature_view.js
// [as in the base]

  get price() {
    const f = v.look(this.$);
    const $at = this.$at;
    let $price;
    if (f.v.getUint32($at, true) >= 24) {
      $price = r.decimal(f, $at + 8);
    } else {
      $price = new r.Decimal(false, 0n, 0);
    }
    return $price;
  }
// ==== feature_draft.js
// [as in the base]
class Message__draft extends d.Part {
  set price($value) {
    const f = this.$;
// [as in the base]
    try {
      w.putDecimal(f, $at + 8, $value);
    } catch ($fault) {
      throw w.leave($fault, "price");
    }
// ==== feature_draft.d.ts
// [as in the base]
export interface Message_Draft {
  get price(): undefined;
  set price(value: Message_["price"]);
}
