// Code in bundles, minified and gzipped: that of all messages, and of one of them, which brings nothing of the others.
import assert from "node:assert/strict";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import { gzipSync } from "node:zlib";
import { build } from "esbuild";

const folder = fileURLToPath(new URL("../", import.meta.url));

async function bundle(contents) {
  const stdin = { contents, resolveDir: folder };
  const { outputFiles } = await build({ stdin, bundle: true, minify: true, format: "esm", write: false });
  return { text: outputFiles[0].text, size: gzipSync(outputFiles[0].contents, { level: 9 }).length };
}

const market = (names) => bundle(`export ${names} from "./generated/market.js";`);

test("a schema of four messages stays small, with its runtime", async (t) => {
  const { text, size } = await market("*");
  t.diagnostic(`market.js: ${size} bytes`);
  assert.ok(text.includes("volatility") && size < 11_500, `${size} bytes`);
});

test("one message brings no code of others", async (t) => {
  for (const [names, most] of [["{ decodeTrade }", 3300], ["{ encodeTrade }", 2600], ["{ decodeTrade, encodeTrade }", 5000]]) {
    const { text, size } = await market(names);
    t.diagnostic(`${names}: ${size} bytes`);
    assert.ok(text.includes("aggressor") && size < most, `${names}: ${size} bytes`);
    for (const other of ["bidSize", "volatility", "reserved", "signature"]) assert.ok(!text.includes(other), `${names} has ${other}`);
  }
});

test("a module that is imported for nothing is no code", async () => {
  const { text } = await bundle('import "./generated/market.js";');
  assert.ok(text.length < 400, text);
});
