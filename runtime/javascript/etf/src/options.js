/** Reads the option maxDepth: how deep lists and maps may nest. */
export function depthOption(options) {
  const depth = options?.maxDepth ?? 512;
  // A thousand levels of recursion are far inside the smallest call stack of today's engines.
  if (!(depth > 0 && depth <= 1000)) throw new TypeError("maxDepth: 1 to 1000");
  return depth;
}

/** Reads the option maxNodes: how many terms lists, maps and tuples may hold in all. */
export function nodesOption(options) {
  const nodes = options?.maxNodes ?? 1000000;
  if (!(nodes >= 0)) throw new TypeError("maxNodes: a number from 0 on, or Infinity");
  return nodes;
}

/** Reads an option that is one of a few words, as its place among them; the first is the default. */
export function wordOption(options, name, words) {
  const place = words.indexOf(options?.[name] ?? words[0]);
  if (place < 0) throw new TypeError(`${name}: ${words}`);
  return place;
}
