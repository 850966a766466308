// What generated modules write and read JSON with.
export * from "./json.js";
export * from "./shapes.js";
