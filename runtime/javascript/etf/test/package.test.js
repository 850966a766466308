// The modules that a page has to load, and the words that may be in them.
import assert from "node:assert/strict";
import { readFileSync, readdirSync } from "node:fs";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import { gzipSync } from "node:zlib";
import { build } from "esbuild";

const root = new URL("../", import.meta.url);

async function bundled(entry) {
  const { outputFiles } = await build({
    entryPoints: [fileURLToPath(new URL(`src/${entry}`, root))],
    bundle: true, minify: true, format: "esm", target: "es2022", platform: "browser", write: false,
  });
  return outputFiles[0].contents;
}

test("the core takes less than 4,850 bytes, minified and gzipped", async () => {
  const size = gzipSync(await bundled("index.js"), { level: 9 }).length;
  assert(size < 4850, `${size} bytes`);
  assert(size > 2000, `${size} bytes: is it all there?`);
});

test("with the Phoenix entry, what a Phoenix page ships, it takes less than 6,250", async () => {
  const size = gzipSync(await bundled("phoenix.js"), { level: 9 }).length;
  assert(size < 6250, `${size} bytes`);
});

test("no dependencies, nothing of Node, no code made from text", () => {
  const { dependencies } = JSON.parse(readFileSync(new URL("package.json", root), "utf8"));
  assert.equal(dependencies, undefined);
  for (const file of readdirSync(new URL("src/", root), { recursive: true }).filter((name) => name.endsWith(".js"))) {
    const source = readFileSync(new URL(`src/${file}`, root), "utf8");
    for (const [, from] of source.matchAll(/\bfrom "([^"]+)"/g)) assert.match(from, /^\.\.?\//, file);
    assert.doesNotMatch(source, /\beval\b|new Function|\bBuffer\b|\bprocess\b/, file);
  }
});
