const CEILING = 1000;

/**
 * How deep lists and maps may nest. The ceiling keeps the recursion of both codecs far inside the smallest call
 * stack of today's engines.
 */
export function depthLimit(options) {
  const limit = options?.maxDepth ?? 512;
  if (!Number.isInteger(limit) || limit < 1 || limit > CEILING) {
    throw new TypeError(`maxDepth must be an integer from 1 to ${CEILING}, not ${String(limit)}`);
  }
  return limit;
}

/** Reads an option that is one of a few words; the first is the default. */
export function choice(options, name, words) {
  const word = options?.[name] ?? words[0];
  if (!words.includes(word)) {
    throw new TypeError(`${name} must be one of ${words.join(", ")}, not ${String(word)}`);
  }
  return word;
}
