// The contract between generated modules and this package: those of one minor version belong together.

/** The version of this package, as package.json has it. */
const version = "0.1.0";

/** Throws where a generated module was made for another version than this one; modules call it as they are loaded. */
export function needs(module, wanted) {
  if (version.startsWith(`${wanted}.`)) return;
  const own = version.slice(0, version.lastIndexOf("."));
  throw new Error(
    `${module} needs @aldis/codec of version ${wanted}, and this is ${version}: ` +
      `generate it again with aldis ${own}, or install @aldis/codec@${wanted}`
  );
}
