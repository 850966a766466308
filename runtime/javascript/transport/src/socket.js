import { isIP, connect as connectTcp } from "node:net";
import { checkServerIdentity, connect as connectTls } from "node:tls";

/** A socket to the server, TLS where options say so: certificate and name are always checked. `whenOpen` is called once. */
export function openSocket({ host, port, tls }, whenOpen) {
  if (tls === undefined) return opened(connectTcp({ host, port }), "connect", whenOpen);
  const { authorities, certificate, key, name = host } = tls;
  const options = {
    host, port, ca: authorities, cert: certificate, key, rejectUnauthorized: true, minVersion: "TLSv1.2",
    checkServerIdentity: (_, peer) => checkServerIdentity(name, peer),
  };
  // A server that has several certificates chooses one by a name; TLS sends no addresses as names.
  if (isIP(name) === 0) options.servername = name;
  return opened(connectTls(options), "secureConnect", whenOpen);
}

function opened(socket, event, whenOpen) {
  socket.setNoDelay(true);
  socket.once(event, whenOpen);
  return socket;
}
