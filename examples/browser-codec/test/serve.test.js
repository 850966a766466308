// The server of the page alone.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import test from "node:test";
import { serve } from "../serve.js";

test("what is no file is answered, and the server goes on", async () => {
  const server = await serve(0);
  try {
    const get = (path) => fetch(`http://127.0.0.1:${server.address().port}${path}`);
    for (const [path, status] of [["/test", 404], ["/test/", 404], ["/none", 404], ["/%", 400], ["/%00", 400], ["//", 400]]) {
      assert.equal((await get(path)).status, status, path);
    }
    const page = readFileSync(new URL("../index.html", import.meta.url), "utf8");
    for (const path of ["/", "/index.html"]) assert.equal(await (await get(path)).text(), page);
  } finally {
    server.close();
  }
});
