// Serves this folder to this machine: node serve.js PORT
import { createReadStream } from "node:fs";
import { createServer } from "node:http";
import { extname, join, normalize } from "node:path";
import { pathToFileURL } from "node:url";

const TYPES = { ".html": "text/html", ".js": "text/javascript", ".css": "text/css" };

export function serve(port) {
  const server = createServer((request, response) => {
    const path = pathOf(request.url);
    if (path === undefined) return response.writeHead(400).end();
    const file = join(import.meta.dirname, path === "/" ? "index.html" : path);
    const type = TYPES[extname(file)] ?? "application/octet-stream";
    const headers = { "content-type": type, "content-security-policy": "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'" };
    createReadStream(file)
      // The head goes with the first bytes: a folder can be opened, but not read.
      .once("readable", function () {
        response.writeHead(200, headers);
        this.pipe(response);
      })
      .on("error", () => (response.headersSent ? response.destroy() : response.writeHead(404).end()));
  });
  return new Promise((resolve) => server.listen(port, "127.0.0.1", () => resolve(server)));
}

/** The path that a request names; nothing where it names none. */
function pathOf(url) {
  try {
    const path = normalize(decodeURIComponent(new URL(url, "http://localhost").pathname));
    return path.includes("\0") ? undefined : path;
  } catch {
    return undefined;
  }
}

if (import.meta.url === pathToFileURL(process.argv[1]).href) {
  const server = await serve(Number(process.argv[2] ?? 0));
  console.log(`http://localhost:${server.address().port}`);
}
