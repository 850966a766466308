import { randomBytes } from "node:crypto";
import { TransportError } from "./error.js";
import { DURABILITIES, MAX_AUTH } from "./frame.js";

const DEFAULTS = {
  host: "localhost",
  others: [],
  epoch: 1,
  durability: "handled",
  window: { messages: 0, bytes: 0 },
  checksum: true,
  batchBytes: 64 << 10,
  linger: 1,
  maxKeptBytes: 64 << 20,
  connectTimeout: 5000,
  pingAfter: 10_000,
  leastBackoff: 50,
  mostBackoff: 5000,
  retryRefused: true,
};

const NUMBERS = ["batchBytes", "linger", "maxKeptBytes", "connectTimeout", "pingAfter", "leastBackoff", "mostBackoff"];

/** The longest time that a field of a frame holds, and any other number of 32 bits. */
export const MAX_U32 = 2 ** 32 - 1;

export const misused = (text) => new TransportError("misused", text);

export const isU32 = (value) => Number.isInteger(value) && value >= 0 && value <= MAX_U32;

/** A time that the caller is willing to wait, in milliseconds. */
export function checkTimeout(timeout) {
  if (!(timeout >= 0)) throw misused("a timeout is a number of milliseconds");
}

/** The options of a client with their defaults, checked. */
export function checked(given) {
  const options = { ...DEFAULTS, ...given };
  const method = Buffer.from(options.auth?.method ?? "");
  const data = Buffer.from(options.auth?.data ?? "");
  if (method.length > 255 || method.length + data.length > MAX_AUTH) {
    throw misused(`an auth method takes 255 bytes, it and auth data together ${MAX_AUTH}`);
  }
  const servers = [{ host: options.host, port: options.port }, ...options.others];
  for (const { host, port } of servers) {
    if (typeof host !== "string") throw misused("a host is a name or an address");
    if (!Number.isInteger(port) || port < 1 || port > 65535) throw misused("a port is a number from 1 to 65535");
  }
  for (const name of NUMBERS) if (!(options[name] >= 0)) throw misused(`${name} is a number, 0 or more`);
  if (!isU32(options.epoch)) throw misused("an epoch is a number below 2^32");
  const { window, schema } = options;
  if (!isU32(window?.messages) || !isU32(window.bytes)) throw misused("a window has messages and bytes, numbers below 2^32");
  if (schema !== undefined && !(isU32(schema?.schema) && isU32(schema.template))) {
    throw misused("a schema has schema and template, numbers below 2^32");
  }
  if (!DURABILITIES.includes(options.durability)) throw misused(`durability is one of ${DURABILITIES.join(", ")}`);
  const producer = Buffer.from(options.producer ?? randomBytes(16));
  if (producer.length !== 16) throw misused("a producer is 16 bytes");
  return { ...options, servers, auth: { method, data }, producer };
}
