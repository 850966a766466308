// ==== feature.js
// [as in the base]
export function module$() {
  return "93aac4b83c0c0645";
}

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

export const Message__of = (side) => ({ side });

export function newMessage_(init) {
  return w.fresh(Message__of("buy"), init);
}

const Message__read_run = /*#__PURE__*/ new r.Run(9, 8, 0, [], () => [
  { at: 0, end: 4, register: "size", extent: r.u32 },
  { at: 4, end: 8, register: "type" },
  { at: 8, end: 9, name: "side", missing: () => "buy", read: (f, $at) => Side_name(f.b[$at]) }
]);
const Message__read_lacks = [[[9, 4]], [], []];
const Message__read = /*#__PURE__*/ new o.Routine(9, [0, 1, 2], () => [
// [as in the base]
  if (f.end - $at < $size) r.refuse();
  let $side;
  if ($size >= 9) {
    $side = Side_name(f.b[$at + 8]);
  } else {
    [$side] = r.readRows(f, Message__read_run, $at, $size, Infinity);
  }
  if (f.v.getUint32($at + 4, true) !== 1) r.refuse();
  if ((f.left -= $size + ($size >= 9 ? 0 : r.lackWithin(
    Message__read_lacks,
// [as in the base]
  ))) < 0) r.refuse();
  return Message__of($side);
}
// [as in the base]
  if (f.v.getUint32($at + 4, true) !== 1) r.refuse();
  if ((f.left -= $size + ($size >= 9 ? 0 : r.lackWithin(
    Message__read_lacks,
// [as in the base]
    const $at = f.at;
    f.at = $at + 9;
    if (f.at > f.room) w.grow(f);
    f.v.setUint32($at, 9, true);
    f.v.setUint32($at + 4, 1, true);
    const $side = $value.side;
    $path0 = "side";
    const $number = Side_number($side);
    if (($number & 255) !== $number) w.noInteger($number, 8);
    f.v.setUint8($at + 8, $number);
  } catch ($fault) {
// [as in the base]
  Message__message_write as Message$message_write,
  Side_name as Side$name,
  Side_number as Side$number,
  Message__of as Message$of,
// ==== feature.d.ts
// [as in the base]

export type Side = "buy" | "sell" | number;

export interface Message_ {
  side: Side;
}
// ==== feature_json.js
// [as in the base]

const Side_json = /*#__PURE__*/ t.enumeration(false, t.u8, () => [["buy", 0], ["sell", 1]]);
const Message__json = /*#__PURE__*/ t.record(Message__of, () => [
  ["side", Side_json, { absent: () => "buy" }]
]);

// [as in the base]
export {
  Side_json as Side$json,
  Message__json as Message$json,
// ==== feature_view.js
// [as in the base]
import * as c from "./feature.js";
import { Side_name } from "./feature.js";

// [as in the base]

  get side() {
    const f = v.look(this.$);
    const $at = this.$at;
    let $side;
    if (f.v.getUint32($at, true) >= 9) {
      $side = Side_name(f.b[$at + 8]);
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
      if (($number & 255) !== $number) w.noInteger($number, 8);
      f.v.setUint8($at + 8, $number);
    } catch ($fault) {
      throw w.leave($fault, "side");
    }
// ==== feature_draft.d.ts
// [as in the base]
export interface Message_Draft {
  get side(): undefined;
  set side(value: Message_["side"]);
}
