// Packs the page and its modules: `index.html`, one file whose classic script has the modules in it and that opens from a disk; and the
// folder `site` for a server, whose scripts run under a strict policy.
//   node playground/pack.js FOLDER      the folder has aldis.wasm, aldis-capnp.wasm and aldis-languages.wasm
import { copyFileSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { build } from "esbuild";

const out = process.argv[2];
const page = new URL("page/", import.meta.url);
const text = (name) => readFileSync(new URL(name, page), "utf8");

const FETCHED = `
const fetched = async (name) => {
  const response = await fetch(name);
  if (!response.ok) throw new Error(\`\${name}: \${response.status} \${response.statusText}\`);
  return response.arrayBuffer();
};
export const modules = {
  fields: () => fetched("aldis.wasm"),
  capnp: () => fetched("aldis-capnp.wasm"),
  languages: () => fetched("aldis-languages.wasm"),
};
`;

/** One module serves all: with the languages it has all that the others have. */
const inlined = (module) => `
import { inflated } from "./bytes.js";
const packed = ${JSON.stringify(gzipSync(module, { level: 9 }).toString("base64"))};
const bytes = () => inflated(Uint8Array.from(atob(packed), (char) => char.charCodeAt(0)));
export const modules = { fields: bytes, capnp: bytes, languages: bytes };
`;

async function bundled(modules, format) {
  const plugin = {
    name: "modules",
    setup(build) {
      build.onResolve({ filter: /^modules$/ }, () => ({ path: "modules", namespace: "made" }));
      build.onLoad({ filter: /.*/, namespace: "made" }, () => ({ contents: modules, resolveDir: page.pathname }));
    },
  };
  const options = { entryPoints: [new URL("page.js", page).pathname], bundle: true, minify: true, write: false, charset: "utf8", plugins: [plugin] };
  const { outputFiles } = await build({ ...options, format, target: "es2022" });
  return outputFiles[0].text;
}

function html(policy, style, script) {
  const parts = { policy, style, script };
  return text("index.html").replace(/\{\{(\w+)\}\}/g, (_, name) => parts[name]);
}

const site = join(out, "site");
mkdirSync(site, { recursive: true });
writeFileSync(join(site, "page.js"), await bundled(FETCHED, "esm"));
copyFileSync(new URL("page.css", page), join(site, "page.css"));
for (const name of ["aldis.wasm", "aldis-capnp.wasm", "aldis-languages.wasm"]) copyFileSync(join(out, name), join(site, name));
const own = "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; style-src 'self'; connect-src 'self'; form-action 'none'; base-uri 'none'";
writeFileSync(join(site, "index.html"), html(own, '<link rel="stylesheet" href="page.css">', '<script type="module" src="page.js"></script>'));

const inline = "default-src 'none'; script-src 'unsafe-inline' 'wasm-unsafe-eval'; style-src 'unsafe-inline'; form-action 'none'; base-uri 'none'";
const script = await bundled(inlined(readFileSync(join(out, "aldis-languages.wasm"))), "iife");
// No end of a script is in the script.
const element = `<script>${script.replaceAll("</script", "<\\/script")}</script>`;
writeFileSync(join(out, "index.html"), html(inline, `<style>${text("page.css")}</style>`, element));
