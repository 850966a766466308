// A page as LiveView's are: diffs come in, bars change; what each frame took is measured where the client decodes it.
import { Socket } from "/phoenix.js";
import { etf } from "/etf/phoenix.js";

const MODES = {
  json: { name: "JSON", path: "/socket", options: {} },
  down: { name: "terms down, JSON up", path: "/socket", options: etf() },
  both: { name: "terms both ways", path: "/both", options: etf({ up: "etf" }) },
};
const EVERY_MS = 10;
const FRAMES = 100000;
const byId = (id) => document.getElementById(id);

const bars = Array.from({ length: 60 }, () => byId("rainbow").appendChild(document.createElement("div")));
const figures = {};
let live;

function measured(options, figure) {
  return {
    ...options,
    decode(raw, callback) {
      const start = performance.now();
      let message;
      (options.decode ?? this.defaultDecoder).call(this, raw, (decoded) => (message = decoded));
      const took = performance.now() - start;
      if (message.event === "diff") {
        figure.decode.push(took * 1000);
        figure.bytes += typeof raw === "string" ? new TextEncoder().encode(raw).length : raw.byteLength;
        figure.kind = typeof raw;
      }
      callback(message);
    },
  };
}

function draw(diff) {
  for (const [at, { 0: hue, 1: height }] of Object.entries(diff[1])) {
    bars[at].style.background = `hsl(${hue} 80% 60%)`;
    bars[at].style.height = `${height}%`;
  }
}

function start(mode) {
  live?.socket.disconnect();
  const { path, options } = MODES[mode];
  const figure = (figures[mode] = { decode: [], bytes: 0, since: undefined, reply: undefined, served: undefined, cpu: undefined });
  const socket = new Socket(`ws://${location.host}${path}`, { ...measured(options, figure), reconnectAfterMs: () => 200 });
  const channel = socket.channel("room:rainbow:" + mode, { name: mode });
  live = { mode, socket, channel };
  socket.connect();
  channel.on("diff", (diff) => {
    figure.since ??= performance.now();
    figure.last = performance.now();
    draw(diff);
  });
  channel.on("shout", ({ clicks }) => (byId("clicks").textContent = clicks));
  channel.join().receive("ok", ({ hello }) => {
    byId("status").textContent = `Joined as ${hello}, by ${MODES[mode].name}`;
    channel.push("rainbow", { every: EVERY_MS, count: FRAMES });
  });
  for (const button of document.querySelectorAll("[data-mode]")) button.setAttribute("aria-pressed", button.dataset.mode === mode);
}

function click() {
  const figure = figures[live.mode];
  const start = performance.now();
  const clicks = Number(byId("clicks").textContent) + 1;
  live.channel.push("shout", { clicks }).receive("ok", () => (figure.reply = performance.now() - start));
}

/** Asks what writing a frame took on the server, and what processor time it took since it was first asked. */
function ask() {
  const figure = figures[live.mode];
  if (live.channel.state === "joined") live.channel.push("served", {}).receive("ok", ({ us, frames, cpu }) => {
    figure.served = us;
    figure.first ??= { frames, cpu };
    if (frames > figure.first.frames) figure.cpu = (cpu - figure.first.cpu) / (frames - figure.first.frames);
  });
}

function summary(mode) {
  const { decode, bytes, since, last, reply, served, cpu } = figures[mode];
  const sorted = Float64Array.from(decode).sort();
  const count = sorted.length;
  return {
    name: MODES[mode].name,
    frames: count,
    perSecond: count > 1 ? (count - 1) / ((last - since) / 1000) : 0,
    bytes: count ? bytes / count : 0,
    median: count ? sorted[count >> 1] : 0,
    mean: count ? sorted.reduce((sum, took) => sum + took, 0) / count : 0,
    reply,
    served,
    cpu,
    kind: figures[mode].kind,
  };
}

function show() {
  byId("figures").replaceChildren(
    ...Object.keys(figures).map((mode) => {
      const { name, frames, perSecond, bytes, median, mean, reply, served, cpu } = summary(mode);
      const row = document.createElement("tr");
      const cells = [name, frames, perSecond.toFixed(1), bytes.toFixed(0), cpu?.toFixed(0) ?? "", served?.toFixed(1) ?? "", median.toFixed(0), mean.toFixed(0), reply?.toFixed(1) ?? ""];
      row.append(...cells.map((text) => Object.assign(document.createElement("td"), { textContent: text })));
      return row;
    }),
  );
}

for (const button of document.querySelectorAll("[data-mode]")) button.addEventListener("click", () => start(button.dataset.mode));
byId("count").addEventListener("click", click);
setInterval(show, 250);
setInterval(ask, 500);
start(new URLSearchParams(location.search).get("mode") ?? "json");
globalThis.page = { summary, upload: (size) => upload(size), drop: () => live.channel.push("drop", {}) };

function upload(size) {
  const chunk = Uint8Array.from({ length: size }, (_, i) => i & 255).buffer;
  return new Promise((resolve, reject) => live.channel.push("chunk", chunk).receive("ok", resolve).receive("timeout", reject));
}
