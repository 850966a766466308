// LiveView's own client over the mode that the address names.
import { LongPoll, Socket } from "/phoenix.js";
import { LiveSocket } from "/phoenix_live_view.js";
import { etf, longPoll } from "/etf/phoenix.js";

const MODES = {
  json: { path: "/socket", options: {} },
  down: { path: "/socket", options: etf() },
  both: { path: "/both", options: etf({ up: "etf" }) },
  auto: { path: "/both", options: etf({ up: "auto" }) },
  polled: { path: "/both", options: { ...etf({ up: "auto" }), transport: longPoll(LongPoll) } },
};
const asked = new URLSearchParams(location.search).get("mode");
const { path, options } = MODES[asked];
const kinds = new Set();
const Painter = {
  mounted() {
    this.handleEvent("painted", ({ pixels }) => {
      document.body.dataset.pixels = `${pixels.constructor.name} ${pixels}`;
      if (options.vsn && asked !== "down") this.pushEvent("picture", { data: pixels });
    });
  },
};
const liveSocket = new LiveSocket(path, Socket, {
  ...options,
  hooks: { Painter },
  params: { _csrf_token: document.querySelector("meta[name=csrf-token]").content },
  decode(raw, callback) {
    kinds.add(typeof raw);
    (options.decode ?? this.defaultDecoder).call(this, raw, callback);
  },
});
addEventListener("phx:added", ({ detail }) => (document.body.dataset.added = JSON.stringify(detail)));
liveSocket.connect();

globalThis.liveSocket = liveSocket;
globalThis.page = { kinds: () => [...kinds] };
