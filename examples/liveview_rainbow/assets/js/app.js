import { Socket } from "phoenix"
import { LiveSocket } from "phoenix_live_view"
import { etf } from "@aldis/etf/phoenix"

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
const options = counted(wire === "etf" ? etf({ up: "etf" }) : {}, (ms, size) => {
  frames++
  bytes += size
  took += ms
})

const liveSocket = new LiveSocket("/live", Socket, { params: { _csrf_token: csrf }, ...options })
liveSocket.connect()

setInterval(() => {
  document.getElementById("wire").textContent = wire === "etf" ? "terms" : "JSON"
  const [size, each] = [bytes / frames, (took / frames) * 1000]
  document.getElementById("figures").textContent = frames
    ? `${frames} messages a second, ${size.toFixed(0)} bytes and ${each.toFixed(0)} µs to decode each`
    : "no messages"
  frames = bytes = took = 0
}, 1000)
