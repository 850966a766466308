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

/** The page's names of its modules, and their files. */
const MODULES = { fields: "aldis.wasm", capnp: "aldis-capnp.wasm", languages: "aldis-languages.wasm" };

const FETCHED = `
const fetched = (name) => async () => {
  const response = await fetch(name);
  if (!response.ok) throw new Error(\`\${name}: \${response.status} \${response.statusText}\`);
  return response.arrayBuffer();
};
export const modules = {${Object.entries(MODULES).map(([name, file]) => `
  ${name}: fetched("${file}"),`).join("")}
};
`;

/** Each module is unpacked when the page first asks it. */
const inlined = (folder) => `
import { inflated } from "./bytes.js";
const from = (packed) => () => inflated(Uint8Array.from(atob(packed), (char) => char.charCodeAt(0)));
export const modules = {${Object.entries(MODULES).map(([name, file]) => `
  ${name}: from(${JSON.stringify(gzipSync(readFileSync(join(folder, file)), { level: 9 }).toString("base64"))}),`).join("")}
};
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
for (const name of Object.values(MODULES)) copyFileSync(join(out, name), join(site, name));
const own = "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; style-src 'self'; connect-src 'self'; form-action 'none'; base-uri 'none'";
writeFileSync(join(site, "index.html"), html(own, '<link rel="stylesheet" href="page.css">', '<script type="module" src="page.js"></script>'));

const inline = "default-src 'none'; script-src 'unsafe-inline' 'wasm-unsafe-eval'; style-src 'unsafe-inline'; form-action 'none'; base-uri 'none'";
const script = await bundled(inlined(out), "iife");
// No end of a script is in the script.
const element = `<script>${script.replaceAll("</script", "<\\/script")}</script>`;
writeFileSync(join(out, "index.html"), html(inline, `<style>${text("page.css")}</style>`, element));
