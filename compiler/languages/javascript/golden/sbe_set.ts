// ==== feature.js
// [as in the base]

export const Message__of = (options) => ({ options });
export const Options = /*#__PURE__*/ Object.freeze({ urgent: 1, hidden: 128 });

// [as in the base]

const Message__read_run = /*#__PURE__*/ new r.Run(1, -1, 0, [], () => [
  { at: 0, end: 1, name: "options", read: r.u8 }
]);
// [as in the base]
  if (f.end - $at < $extent) r.refuse();
  let $options;
  if ($extent >= 1) {
    $options = f.b[$at];
  } else {
    [$options] = r.readRows(f, Message__read_run, $at, $extent, Infinity);
  }
// [as in the base]
  f.at = $at + $extent;
  return Message__of($options);
}
// [as in the base]
    const $at = f.at;
    f.at = $at + 1;
    if (f.at > f.room) w.grow(f);
    const $options = $value.options;
    $path0 = "options";
    if (($options & 255) !== $options) w.noInteger($options, 8);
    f.v.setUint8($at, $options);
  } catch ($fault) {
// [as in the base]
  if (f.at > f.room) w.grow(f);
  f.v.setUint16($at, 1, true);
  f.v.setUint16($at + 2, 1, true);
// ==== feature.d.ts
// [as in the base]

export const Options: { readonly "urgent": number; readonly "hidden": number };

export interface Message_ {
  options: number;
}
// ==== feature_json.js
// [as in the base]

const Options_json = /*#__PURE__*/ t.flags(true, t.u8, () => [["urgent", 1], ["hidden", 128]], () => []);
const Message__json = /*#__PURE__*/ t.record(Message__of, () => [["options", Options_json]]);

// ==== feature_view.js
// [as in the base]

  get options() {
    const f = v.look(this.$);
// [as in the base]
    const $extent = this.$extent;
    let $options;
    if ($extent >= 1) {
      $options = f.b[$at];
    } else {
      $options = undefined;
    }
    return $options;
  }
// ==== feature_draft.js
// [as in the base]
class Message__draft extends d.Part {
  set options($value) {
    const f = this.$;
// [as in the base]
    try {
      if (($value & 255) !== $value) w.noInteger($value, 8);
      f.v.setUint8($at, $value);
    } catch ($fault) {
      throw w.leave($fault, "options");
    }
// ==== feature_draft.d.ts
// [as in the base]
export interface Message_Draft {
  get options(): undefined;
  set options(value: Message_["options"]);
}
