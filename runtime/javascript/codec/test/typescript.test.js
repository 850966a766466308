// Modules that are TypeScript run once their types are taken away, which is all that a runtime does with them.
import assert from "node:assert/strict";
import test from "node:test";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";

test("modules in TypeScript do what those in JavaScript do", async () => {
  const source = fileURLToPath(new URL("typescript.ts", import.meta.url));
  const nodePaths = [fileURLToPath(new URL("../../node_modules", import.meta.url))];
  const { outputFiles } = await build({ entryPoints: [source], bundle: true, format: "esm", write: false, nodePaths });
  const { found } = await import(`data:text/javascript;base64,${Buffer.from(outputFiles[0].contents).toString("base64")}`);
  assert.deepEqual(found.ids, [7, 7, 7, 7, 7]);
  assert.equal(found.size, found.length);
  assert.equal(String(found.price), "1.25");
  assert.equal(found.json, '{"id":7,"price":"1.25"}');
});
