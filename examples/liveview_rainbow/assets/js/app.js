import { LongPoll, Socket } from "phoenix"
import { LiveSocket } from "phoenix_live_view"
import { etf, longPoll } from "@aldis/etf/phoenix"

const wire = new URLSearchParams(location.search).get("wire") ?? "etf"
const csrf = document.querySelector("meta[name='csrf-token']").content

/** The options of a socket, with the time and bytes of each message counted where it is decoded. */
function counted(options, count) {
  return {
    ...options,
    decode(raw, callback) {
      const start = performance.now()
      let message
      ;(options.decode ?? this.defaultDecoder).call(this, raw, (decoded) => (message = decoded))
      count(performance.now() - start, typeof raw === "string" ? raw.length : raw.byteLength)
      callback(message)
    },
  }
}

let [frames, bytes, took] = [0, 0, 0]
const WIRES = { json: {}, etf: etf({ up: "etf" }), polled: { ...etf({ up: "etf" }), transport: longPoll(LongPoll) } }
const options = counted(WIRES[wire], (ms, size) => {
  frames++
  bytes += size
  took += ms
})

/** Draws the pixels that come as bytes, or in base64 where JSON is spoken, and sends its own back as bytes. */
const Canvas = {
  mounted() {
    const context = this.el.getContext("2d")
    this.handleEvent("pixels", ({ width, rgba }) => {
      const bytes = typeof rgba === "string" ? Uint8Array.from(atob(rgba), (char) => char.charCodeAt(0)) : rgba
      context.putImageData(new ImageData(Uint8ClampedArray.from(bytes), width), 0, 0)
    })
    this.el.addEventListener("click", () => {
      const { data } = context.getImageData(0, 0, this.el.width, this.el.height)
      if (wire !== "json") this.pushEvent("drawn", { rgba: data })
    })
  },
}

const liveSocket = new LiveSocket("/live", Socket, { params: { _csrf_token: csrf }, hooks: { Canvas }, ...options })
liveSocket.connect()
// For the browser's console, and for features/run.sh.
globalThis.liveSocket = liveSocket

setInterval(() => {
  if (!document.getElementById("wire")) return
  document.getElementById("wire").textContent = { json: "JSON", etf: "terms", polled: "terms in long polls" }[wire]
  const [size, each] = [bytes / frames, (took / frames) * 1000]
  document.getElementById("figures").textContent = frames
    ? `${frames} messages a second, ${size.toFixed(0)} bytes and ${each.toFixed(0)} µs to decode each`
    : "no messages"
  frames = bytes = took = 0
}, 1000)
