// A field that is set where it lies gives the bytes, or the fault, of the whole value with that field. Arguments: the stem of the
// modules, then messages: `NAME=FILE,FILE`, where `draftNAME` is asked to become each of the files' messages, field by field.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { CodecError } from "@aldis/codec";

const [stem, ...messages] = process.argv.slice(2);
const codecs = await import(`./${stem}.js`);
const drafts = await import(`./${stem}_draft.js`);
let done = 0;

const thrown = (run) => {
  try {
    return run();
  } catch (error) {
    assert.ok(error instanceof CodecError, error);
    return { code: error.code, offset: error.offset, path: error.path, detail: error.detail, message: error.message.includes("***") };
  }
};

/** The accessors of a draft, those of its records in place with the path that leads there. */
function* setters(draft, path = []) {
  const all = Object.getOwnPropertyDescriptors(Object.getPrototypeOf(draft));
  for (const [name, { get, set }] of Object.entries(all)) {
    if (set !== undefined) yield [...path, name];
    if (get !== undefined) yield* setters(draft[name], [...path, name]);
  }
}

const at = (value, path) => path.reduce((value, name) => value?.[name], value);

function changed(value, [name, ...rest], to) {
  return { ...value, [name]: rest.length === 0 ? to : changed(value[name], rest, to) };
}

function check(draft, encode, value, path, to) {
  const inner = path.slice(0, -1);
  if (at(value, inner) === null || at(value, inner) === undefined) return;
  draft.$into(new Uint8Array(draft.$bytes.length));
  const set = thrown(() => {
    at(draft, inner)[path.at(-1)] = to;
    return draft.$bytes;
  });
  const whole = thrown(() => encode(changed(value, path, to)));
  // A draft of a record in place knows nothing of what leads to it.
  if (!(set instanceof Uint8Array)) set.path = [...inner, ...set.path];
  assert.deepEqual(set, whole, `${path} of ${stem}`);
  done++;
}

for (const message of messages) {
  const [name, files] = message.split("=");
  const plain = (text) => text.replaceAll("_", "").toLowerCase();
  const own = Object.keys(drafts).find((exported) => plain(exported) === plain(`draft${name}`));
  if (own === undefined) continue;
  const [draftOf, encode, decode] = [drafts[own], ...["encode", "decode"].map((verb) => codecs[own.replace("draft", verb)])];
  const values = files.split(",").map((file) => decode(readFileSync(new URL(file, import.meta.url))));
  for (const value of values) {
    const draft = draftOf(value);
    assert.deepEqual(draft.$bytes, encode(value));
    for (const path of setters(draft)) {
      for (const other of values) check(draft, encode, value, path, at(other, path));
      for (const wrong of [null, undefined, 1n << 70n, -1, 1.5, "x".repeat(300), "\ud800", {}, [], true]) check(draft, encode, value, path, wrong);
    }
    // Anywhere in memory of others, whose bytes around it stay.
    const target = new Uint8Array(draft.$bytes.length + 20).fill(0xaa);
    assert.equal(draft.$into(target.subarray(3), 4), draft.$bytes.length + 4);
    assert.deepEqual(target.subarray(7, -13), encode(value));
    assert.ok([...target.subarray(0, 7), ...target.subarray(-13)].every((byte) => byte === 0xaa));
    // A target that is refused is left alone, and the draft stays where it was.
    const other = new Uint8Array(draft.$bytes.length - 1);
    const refused = [[target, 21], [target, -1], [other, 0], [new Uint8Array(200), 200]];
    for (const [bytes, at] of refused) assert.throws(() => draft.$into(bytes, at), RangeError);
    assert.throws(() => draft.$into([]), TypeError);
    assert.equal(draft.$bytes.buffer, target.buffer);
    assert.deepEqual(draft.$bytes, encode(value));
    assert.throws(() => { draft.noSuchField = 1; }, TypeError);
    for (const path of setters(draft)) {
      const inner = at(draft, path);
      if (inner === undefined) continue;
      assert.throws(() => { at(draft, path.slice(0, -1))[path.at(-1)] = inner; }, TypeError);
      assert.throws(() => inner.$bytes, TypeError);
      assert.throws(() => inner.$into(target), TypeError);
    }
  }
}
assert.ok(done > 0, `nothing of ${stem} can be set`);
