// ==== feature.js
// [as in the base]
export function module$() {
  return "3a895728aed04488";
}

export const Message__of = (side) => ({ side });

export function Side_name(number) {
  switch (number) {
    case 0: return "buy";
    case 1: return "sell";
    default: return number;
  }
}

export function Side_number(name) {
  switch (name) {
    case "buy": return 0;
    case "sell": return 1;
    default: return w.unnamed(name, "Side");
  }
}

export function newMessage_(init) {
  return w.fresh(Message__of("buy"), init);
}
// [as in the base]
const Message__read_run = /*#__PURE__*/ new r.Run(8, 0, 0, [], () => [
  { at: 0, end: 2, name: "side", missing: () => "buy", read: (f, $at) => Side_name(f.v.getUint16($at, true)) }
]);
// [as in the base]
function Message__read_usual(f, $data, $dataSize) {
  let $side;
  if ($dataSize >= 8) {
    $side = Side_name(f.v.getUint16($data, true));
  } else {
    [$side] = r.readRows(f, Message__read_run, $data, $dataSize, Infinity);
  }
  return Message__of($side);
}
// [as in the base]
    w.isRecord($value);
    const $side = $value.side;
    $path0 = "side";
    const $number = Side_number($side);
    if (($number & 65535) !== $number) w.noInteger($number, 16);
    f.v.setUint16($at, $number, true);
  } catch ($fault) {
// [as in the base]
  Message__of as Message$of,
  Side_name as Side$name,
  Side_number as Side$number,
};
// ==== feature.d.ts
// [as in the base]
export interface Message_ {
  side: Side;
}

export type Side = "buy" | "sell" | number;

/** One with these fields, and the defaults of others. */
// ==== feature_json.js
// [as in the base]
const Message__json = /*#__PURE__*/ t.shape(Message__of, () => [
  ["side", Side_json, { absent: () => "buy" }]
]);
const Side_json = /*#__PURE__*/ t.enumeration(true, t.loose(t.u16), () => [["buy", 0], ["sell", 1]]);

// [as in the base]
  Message__json as Message$json,
  Side_json as Side$json,
  message_ToJson as Message$ToJson,
// ==== feature_view.js
// [as in the base]
import * as c from "./feature.js";
import { Side_name } from "./feature.js";

// [as in the base]

  get side() {
    const f = v.look(this.$);
// [as in the base]
    const $dataSize = this.$dataSize;
    let $side;
    if ($dataSize >= 2) {
      $side = Side_name(f.v.getUint16($data, true));
    } else {
      $side = "buy";
    }
    return $side;
  }
// ==== feature_draft.js
// [as in the base]
import * as c from "./feature.js";
import { Side_number } from "./feature.js";

// [as in the base]
class Message__draft extends d.Part {
  set side($value) {
    const f = this.$;
// [as in the base]
    try {
      const $number = Side_number($value);
      if (($number & 65535) !== $number) w.noInteger($number, 16);
      f.v.setUint16($at, $number, true);
    } catch ($fault) {
      throw w.leave($fault, "side");
    }
// ==== feature_draft.d.ts
// [as in the base]
export interface Message_Draft {
  get side(): undefined;
  set side(value: Message_["side"]);
}
