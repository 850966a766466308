// Runs page.js in headless Chromium and returns what it posts; null where there is no Chromium.
import { spawn, spawnSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { createServer } from "node:http";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";

const TIMEOUT_MS = 180_000;
// esbuild is the package's, which bench/etf-js/run.sh has installed.
const { build } = createRequire(new URL("../../runtime/javascript/etf/package.json", import.meta.url))("esbuild");

// With these headers the page's clock ticks in microseconds.
const ISOLATED = { "Cross-Origin-Opener-Policy": "same-origin", "Cross-Origin-Embedder-Policy": "require-corp" };

export async function inBrowser() {
  const program = ["chromium", "chromium-browser", "google-chrome"].find((name) => !spawnSync(name, ["--version"]).error);
  if (!program) return null;
  const bundle = await build({
    entryPoints: [new URL("page.js", import.meta.url).pathname], bundle: true, format: "esm", write: false,
  });
  const profile = mkdtempSync(join(tmpdir(), "aldis-bench-"));
  try {
    return await visit(program, profile, bundle.outputFiles[0].contents);
  } finally {
    rmSync(profile, { recursive: true, force: true, maxRetries: 10, retryDelay: 100 });
  }
}

function visit(program, profile, script) {
  return new Promise((resolve, reject) => {
    let browser;
    const server = createServer((request, response) => {
      if (request.method === "POST") return receive(request, response, finish);
      const isScript = request.url === "/page.js";
      response.writeHead(200, { "Content-Type": isScript ? "text/javascript" : "text/html", ...ISOLATED });
      response.end(isScript ? script : "<!doctype html><meta charset=utf-8><script type=module src=/page.js></script>");
    });
    const timer = setTimeout(() => finish(new Error("the page did not answer in time")), TIMEOUT_MS);
    function finish(error, results) {
      clearTimeout(timer);
      server.close();
      browser.once("exit", () => (error ? reject(error) : resolve(results)));
      browser.kill();
    }
    server.listen(0, "127.0.0.1", () => {
      const url = `http://127.0.0.1:${server.address().port}/`;
      browser = spawn(program, ["--headless", "--no-sandbox", "--disable-gpu", `--user-data-dir=${profile}`, url], { stdio: "ignore" });
    });
  });
}

function receive(request, response, finish) {
  let body = "";
  request.on("data", (part) => (body += part));
  request.on("end", () => {
    response.end();
    finish(null, JSON.parse(body));
  });
}
