export { decode } from "./decode.js";
export { encode, encodeInto } from "./encode.js";
export { EtfError } from "./error.js";
