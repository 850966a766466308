export { EtfError } from "./error.js";
export { decode } from "./terms/decode.js";
export { encode } from "./terms/encode.js";
export { Atom, atom, Float, ImproperList, Opaque, Tuple, tuple } from "./terms/values.js";
