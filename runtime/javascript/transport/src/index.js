export { Client } from "./client.js";
export { TransportError } from "./error.js";
