// The functions with which generated modules write and read JSON.
export * from "./json.js";
export * from "./shapes.js";
export { needs } from "./version.js";
