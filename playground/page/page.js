// The playground: a schema on the left; a message, layouts, code and changes on the right.

import { by, offer, point } from "./elements.js";
import { hexOf, fromUrl, spaced, toHex, toUrl } from "./bytes.js";
import { door } from "./door.js";
import { EXAMPLES } from "./examples.js";
import { explain } from "./explanation.js";
import { changes, code, diagnostics, layouts } from "./panels.js";
import { modules } from "modules";

const PAUSE = 150;
/** The running modules, or promises of them, by the functions that load them. */
const doors = new Map();
/** The side of the message that was written last, from which the other one follows. */
let given = "json";
let forms = [];
/** The texts that the one on the page may import, by their names. */
let others = {};

const schema = () => ({ name: by("name").value.trim(), text: by("schema").value, others });
const show = (text) => (by("state").textContent = text);
const go = (place) => point(by("schema"), place);
const panel = () => document.querySelector("[role=tab][aria-selected=true]").id.slice(4);

/** Runs what may fail, and says why it did. */
async function trying(work, said = by("fault")) {
  try {
    said.textContent = "";
    return await work();
  } catch (error) {
    said.textContent = error.message;
    return undefined;
  }
}

/** Asks a module, which is loaded with its first question. */
async function asked(load, question) {
  if (!doors.has(load)) {
    const before = by("state").textContent;
    show("loading the compiler");
    doors.set(load, load().then(door));
    // A load that failed is tried again with the next question.
    await doors.get(load).catch((error) => (doors.delete(load), Promise.reject(error))).finally(() => show(before));
  }
  return (await doors.get(load))(question);
}

/** Asks the small module of the schema's language. */
const ask = (question) => asked(question.schema.name.endsWith(".capnp") ? modules.capnp : modules.fields, question);
/** Asks the module of back ends and of the judgement of changes. */
const askAll = (question) => asked(modules.languages, question);

const messagesOf = (form) => forms.find(({ name }) => name === form)?.messages.map(({ name }) => name) ?? [];

async function compile() {
  const said = await trying(() => ask({ ask: "schema", schema: schema() }), by("state"));
  if (said === undefined) return;
  diagnostics(by("diagnostics"), said.diagnostics, schema().name, go);
  const errors = said.diagnostics.filter(({ severity }) => severity === "error").length;
  show(errors > 0 ? `${errors} error${errors > 1 ? "s" : ""}` : "the schema is right");
  // The results of the last schema without errors stay on the page.
  if (said.forms.length === 0) return;
  forms = said.forms;
  offer(by("form"), forms.map(({ name }) => name));
  await chosen();
}

/** Shows what belongs to the form, the message and the panel that are chosen. */
async function chosen() {
  const form = by("form").value;
  offer(by("message"), messagesOf(form));
  if (panel() === "layout") layouts(by("layout-panel"), forms.find(({ name }) => name === form)?.layouts ?? [], go);
  if (panel() === "code") await generated();
  if (panel() === "changes") await compared();
  if (panel() === "message") await (by("json").value + by("bytes").value === "" ? random(1) : translated());
}

const about = () => ({ schema: schema(), form: by("form").value });

async function random(seed) {
  const message = by("message").value;
  if (message === "") return;
  const said = await trying(() => ask({ ask: "random", ...about(), message, seed }));
  if (said === undefined) return;
  if (said.fault) return tell(said.fault);
  by("json").value = pretty(said.json);
  given = "json";
  await translated();
}

/** JSON over several lines; numbers keep their digits, which parsing would round. */
function pretty(json) {
  let depth = 0;
  const line = () => `\n${"  ".repeat(depth)}`;
  return json.replace(/"(?:[^"\\]|\\.)*"|\{\}|\[\]|[{}[\],:]/g, (token) => {
    if (token === "{" || token === "[") return depth++, token + line();
    if (token === "}" || token === "]") return depth--, line() + token;
    if (token === ",") return token + line();
    return token === ":" ? ": " : token;
  });
}

const tell = ({ code, offset, path, text }) =>
  (by("fault").textContent = `${code}${offset === null ? "" : ` at byte ${offset}`}${path === "" ? "" : ` in ${path}`}: ${text}`);

/** Makes the bytes from the JSON or the JSON from the bytes, and explains the bytes. */
async function translated() {
  await trying(async () => {
    let message = by("message").value;
    if (given === "json") {
      if (message === "") return;
      const said = await ask({ ask: "encode", ...about(), message, json: by("json").value });
      if (said.fault) return tell(said.fault);
      by("bytes").value = spaced(said.bytes);
    }
    const bytes = toHex(by("bytes").value);
    if (bytes === undefined) throw new Error("the bytes are neither hex digits nor base64");
    const of = given === "json" ? { message } : {};
    let said = await ask({ ask: "explain", ...about(), ...of, bytes });
    // Bytes that do not say what they are, are what the page names.
    if (said.rows.length === 0 && said.fault && message !== "") said = await ask({ ask: "explain", ...about(), message, bytes });
    explain(said, by("grid"), by("rows"), ([file, line]) => file === schema().name && go({ line }));
    if (said.message) by("message").value = message = said.message;
    if (given === "bytes") by("json").value = said.json ? pretty(said.json) : "";
    if (said.fault) tell(said.fault);
    else if (said.size < bytes.length / 2 && said.bytes === bytes) by("fault").textContent = `${bytes.length / 2 - said.size} bytes after the message's end`;
  });
}

async function generated() {
  await trying(async () => {
    if (by("language").options.length === 0) offer(by("language"), (await askAll({ ask: "languages" })).languages);
    code(by("code"), await askAll({ ask: "code", schema: schema(), language: by("language").value }));
  }, by("state"));
}

async function compared() {
  const text = by("old").value;
  if (text.trim() === "") return by("changes").replaceChildren();
  const said = await trying(() => askAll({ ask: "breaking", ...about(), old: { ...schema(), text } }), by("state"));
  if (said !== undefined) changes(by("changes"), said, go);
}

const state = () => ({ ...schema(), form: by("form").value, message: by("message").value, bytes: toHex(by("bytes").value) ?? "", old: by("old").value });

/** Puts a state that came with the URL, or an example, onto the page. */
async function enter({ name, text, form, message, json, bytes, old, others: beside = {} }) {
  others = beside;
  offer(by("texts"), [name, ...Object.keys(others)]);
  by("texts").value = name;
  by("texts-label").hidden = Object.keys(others).length === 0;
  by("name").value = name;
  by("schema").value = text;
  by("json").value = json ? pretty(json) : "";
  by("bytes").value = bytes ? spaced(bytes) : "";
  by("old").value = old ?? "";
  for (const id of ["grid", "rows", "form", "message"]) by(id).replaceChildren();
  given = bytes ? "bytes" : "json";
  await compile();
  if (form) by("form").value = form;
  offer(by("message"), messagesOf(by("form").value));
  if (message) by("message").value = message;
  await chosen();
}

async function share() {
  location.hash = await toUrl(state());
  const copied = await navigator.clipboard?.writeText(location.href).then(() => true, () => false);
  show(copied ? "the link is copied" : "the link is in the address bar");
}

function listen() {
  const later = (work) => {
    let timer;
    return () => {
      clearTimeout(timer);
      timer = setTimeout(work, PAUSE);
    };
  };
  const soon = later(translated);
  const written = (side) => () => ((given = side), soon());
  by("schema").oninput = by("name").oninput = later(compile);
  by("json").oninput = written("json");
  by("bytes").oninput = written("bytes");
  by("old").oninput = later(compared);
  by("form").onchange = () => ((given = "json"), chosen());
  by("message").onchange = () => random(1);
  by("language").onchange = generated;
  by("random").onclick = () => random(crypto.getRandomValues(new Uint32Array(1))[0]);
  by("keep").onclick = () => ((by("old").value = schema().text), compared());
  by("share").onclick = share;
  by("examples").onchange = () => enter(EXAMPLES[by("examples").value]);
  by("open-schema").onchange = async ({ target }) => {
    const read = await Promise.all([...target.files].map(async (file) => [file.name, await file.text()]));
    const [[name, text], ...beside] = read;
    await enter({ name, text, others: Object.fromEntries(beside) });
  };
  by("texts").onchange = () => {
    const { name: shown, text: written } = schema();
    const { [by("texts").value]: text, ...rest } = others;
    return enter({ name: by("texts").value, text, others: { [shown]: written, ...rest } });
  };
  by("open-bytes").onchange = async ({ target }) => {
    by("bytes").value = spaced(hexOf(new Uint8Array(await target.files[0].slice(0, 1 << 16).arrayBuffer())));
    given = "bytes";
    await translated();
  };
  for (const tab of document.querySelectorAll("[role=tab]")) {
    tab.onclick = () => {
      for (const other of document.querySelectorAll("[role=tab]")) {
        other.setAttribute("aria-selected", String(other === tab));
        by(other.getAttribute("aria-controls")).hidden = other !== tab;
      }
      return chosen();
    };
  }
}

async function start() {
  offer(by("examples"), Object.keys(EXAMPLES));
  listen();
  const [first] = Object.values(EXAMPLES);
  const shared = location.hash.length > 1 ? await fromUrl(location.hash.slice(1)).catch(() => undefined) : undefined;
  await enter(shared ?? first);
}

start().catch((error) => show(`the page cannot start: ${error.message}`));
