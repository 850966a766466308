// OTP's own term_to_binary and binary_to_term on one side, this package on the other.
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import fc from "fast-check";
import { decode, encode } from "@aldis/etf";
import * as terms from "@aldis/etf/terms";

const SCRIPT = fileURLToPath(new URL("otp/terms.escript", import.meta.url));
const hasErlang = spawnSync("escript", ["--version"]).error === undefined;
const options = { skip: hasErlang ? false : "there is no escript here" };

function otp(args, input = "") {
  const done = spawnSync("escript", [SCRIPT, ...args], { input, encoding: "latin1", maxBuffer: 1 << 30 });
  assert.equal(done.status, 0, done.stderr);
  return done.stdout.trimEnd().split("\n");
}

test("terms of term_to_binary, all minor versions, equal their JSON", options, () => {
  const seed = String((Date.now() >>> 0) + 1);
  const lines = otp(["generate", seed, "4000"]);
  assert.equal(lines.length, 4000);
  const seen = new Set();
  for (const line of lines) {
    const base64 = line.slice(0, line.indexOf(" "));
    const json = line.slice(line.indexOf(" ") + 1);
    const bytes = Buffer.from(base64, "base64");
    seen.add(bytes[1]);
    assert.deepStrictEqual(decode(bytes), JSON.parse(json), `seed ${seed}: ${base64}`);
  }
  for (const tag of [70, 97, 98, 99, 100, 106, 107, 108, 109, 110, 116]) assert(seen.has(tag), `tag ${tag} came up`);
  assert(seen.has(119) || seen.has(118), "an UTF-8 atom came up");
});

test("integers of any size are exact as BigInts", options, () => {
  for (const line of otp(["generate", "7", "3000"])) {
    const text = line.slice(line.indexOf(" ") + 1);
    if (!/^-?\d+$/.test(text)) continue;
    const value = decode(Buffer.from(line.split(" ")[0], "base64"), { integers: "bigint" });
    assert.equal(String(value), text);
    assert.equal(typeof value === "number", Number.isSafeInteger(Number(text)));
  }
});

test("what encode writes, binary_to_term reads as the equal JSON", options, () => {
  const text = fc.oneof(fc.string(), fc.string({ unit: "binary" }), fc.string({ minLength: 40, maxLength: 200 }));
  const { value } = fc.letrec((tie) => ({
    value: fc.oneof(
      { depthSize: "medium" },
      text, fc.integer(), fc.maxSafeInteger(), fc.double(), fc.boolean(), fc.constant(null), fc.constant(undefined),
      fc.array(tie("value")), fc.dictionary(text, tie("value")),
    ),
  }));
  const values = fc.sample(value, 3000).filter((v) => v !== undefined);
  const answers = otp(["json"], values.map((v) => Buffer.from(encode(v)).toString("base64")).join("\n"));
  assert.equal(answers.length, values.length);
  values.forEach((v, i) => {
    assert.deepStrictEqual(JSON.parse(answers[i]), JSON.parse(JSON.stringify(v)));
  });
});

test("whole numbers below 1e21 are integers to OTP, larger numbers floats", options, () => {
  const cases = [
    [255, "255"], [256, "256"], [-1, "-1"], [2147483647, "2147483647"], [2147483648, "2147483648"],
    [-2147483649, "-2147483649"], [2 ** 53 - 1, "9007199254740991"], [1 - 2 ** 53, "-9007199254740991"],
    [2 ** 53, "9007199254740992"], [-(2 ** 60), "-1152921504606846976"], [2 ** 69, "590295810358705651712"], [1e21, "1.0e21"],
    [-0, "0"], [1.5, "1.5"], [1.0, "1"], [NaN, "null"], [Infinity, "null"],
  ];
  const answers = otp(["json"], cases.map(([n]) => Buffer.from(encode(n)).toString("base64")).join("\n"));
  assert.deepEqual(answers, cases.map(([, text]) => text));
});

test("terms of all kinds come back to OTP as they left it", options, () => {
  const sent = otp(["any", "11", "3000"]);
  const bytes = { binaries: "bytes", keys: "bytes" };
  const lines = sent.map((base64) => {
    const back = terms.encode(terms.decode(Buffer.from(base64, "base64"), bytes), bytes);
    return `${base64} ${Buffer.from(back).toString("base64")}`;
  });
  const answers = otp(["same"], lines.join("\n"));
  assert.equal(answers.length, sent.length);
  for (const answer of answers) assert.equal(answer, "same");
});

test("bytes are {bytes, Binary} to OTP", options, () => {
  const bytes = Uint8Array.of(0, 255);
  const mark = Buffer.from([131, 104, 2, 100, 0, 5, ...Buffer.from("bytes"), 109, 0, 0, 0, 2, 0, 255]).toString("base64");
  for (const encoded of [encode(bytes), terms.encode(bytes)]) {
    assert.deepEqual(otp(["same"], `${Buffer.from(encoded).toString("base64")} ${mark}`), ["same"]);
  }
});
