// ==== feature.js
// [as in the base]

export function Side_name(number) {
  switch (number) {
    case 1: return "buy";
    case 2: return "sell";
    default: return number;
  }
}

export function Side_number(name) {
  switch (name) {
    case "buy": return 1;
    case "sell": return 2;
    default: return w.unnamed(name, "Side");
  }
}

export const Message__of = (side) => ({ side });

// [as in the base]

const Message__read_run = /*#__PURE__*/ new r.Run(1, -1, 0, [], () => [
  { at: 0, end: 1, name: "side", read: (f, $at) => Side_name(f.b[$at]) }
]);
// [as in the base]
  if (f.end - $at < $extent) r.refuse();
  let $side;
  if ($extent >= 1) {
    $side = Side_name(f.b[$at]);
  } else {
    [$side] = r.readRows(f, Message__read_run, $at, $extent, Infinity);
  }
// [as in the base]
  f.at = $at + $extent;
  return Message__of($side);
}
// [as in the base]
    const $at = f.at;
    f.at = $at + 1;
    if (f.at > f.room) w.grow(f);
    const $side = $value.side;
    $path0 = "side";
    const $number = Side_number($side);
    if (($number & 255) !== $number) w.noInteger($number, 8);
    f.v.setUint8($at, $number);
  } catch ($fault) {
// [as in the base]
  if (f.at > f.room) w.grow(f);
  f.v.setUint16($at, 1, true);
  f.v.setUint16($at + 2, 1, true);
// ==== feature.d.ts
// [as in the base]

export type Side = "buy" | "sell" | number;

export interface Message_ {
  side: Side;
}
// ==== feature_json.js
// [as in the base]

const Side_json = /*#__PURE__*/ t.enumeration(true, t.u8, () => [["buy", 1], ["sell", 2]]);
const Message__json = /*#__PURE__*/ t.record(Message__of, () => [["side", Side_json]]);

// ==== feature_view.js
// [as in the base]
import * as c from "./feature.js";
import { Side_name } from "./feature.js";

// [as in the base]

  get side() {
    const f = v.look(this.$);
// [as in the base]
    const $extent = this.$extent;
    let $side;
    if ($extent >= 1) {
      $side = Side_name(f.b[$at]);
    } else {
      $side = undefined;
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
      if (($number & 255) !== $number) w.noInteger($number, 8);
      f.v.setUint8($at, $number);
    } catch ($fault) {
      throw w.leave($fault, "side");
    }
// ==== feature_draft.d.ts
// [as in the base]
export interface Message_Draft {
  get side(): undefined;
  set side(value: Message_["side"]);
}
