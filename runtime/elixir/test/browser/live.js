// LiveView's own client over the mode that the address names.
import { Socket } from "/phoenix.js";
import { LiveSocket } from "/phoenix_live_view.js";
import { etf } from "/etf/phoenix.js";

const MODES = {
  json: { path: "/socket", options: {} },
  down: { path: "/socket", options: etf() },
  both: { path: "/both", options: etf({ up: "etf" }) },
};
const { path, options } = MODES[new URLSearchParams(location.search).get("mode")];
const kinds = new Set();
const liveSocket = new LiveSocket(path, Socket, {
  ...options,
  params: { _csrf_token: document.querySelector("meta[name=csrf-token]").content },
  decode(raw, callback) {
    kinds.add(typeof raw);
    (options.decode ?? this.defaultDecoder).call(this, raw, callback);
  },
});
addEventListener("phx:added", ({ detail }) => (document.body.dataset.added = JSON.stringify(detail)));
liveSocket.connect();
globalThis.page = { kinds: () => [...kinds] };
