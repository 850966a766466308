// Starts the test server under mix, and stops it with the tests.
import { spawn } from "node:child_process";
import { fileURLToPath } from "node:url";

const project = fileURLToPath(new URL("../..", import.meta.url));

/** Resolves to `{ port, stop }` when the server listens. */
export function startServer() {
  const server = spawn("mix", ["run", "--no-compile", "--no-start", "test/browser/server.exs"], {
    cwd: project,
    // Schedulers that wait busily would count as work.
    env: { ERL_FLAGS: "+sbwt none +sbwtdcpu none +sbwtdio none", ...process.env, MIX_ENV: "test" },
    stdio: ["pipe", "pipe", "inherit"],
  });
  return new Promise((resolve, reject) => {
    server.once("exit", (code) => reject(new Error(`the server ended with ${code}; was it compiled (MIX_ENV=test mix compile)?`)));
    server.stdout.on("data", (data) => {
      const found = /listening on (\d+)/.exec(data);
      if (found) resolve({ port: Number(found[1]), stop: () => server.stdin.end() });
    });
  });
}
