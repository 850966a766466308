// Bytes as people write them, and a page's state as a piece of its URL.

/** Hex digits with white space, commas and 0x, or base64 where they cannot be hex: hex digits alone; undefined when neither. */
export function toHex(text) {
  const digits = text.replace(/0x/gi, "").replace(/[\s,:]/g, "").toLowerCase();
  if (/^(?:[\da-f]{2})*$/.test(digits)) return digits;
  const base64 = text.replace(/\s/g, "").replace(/-/g, "+").replace(/_/g, "/");
  if (!/^[A-Za-z\d+/]+={0,2}$/.test(base64) || base64.replace(/=+$/, "").length % 4 === 1) return undefined;
  return hexOf(Uint8Array.from(atob(base64), (char) => char.charCodeAt(0)));
}

export const hexOf = (bytes) => Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");

/** Pairs of digits, sixteen in a line. */
export const spaced = (hex) => (hex.match(/.{1,32}/g) ?? []).map((line) => line.match(/../g).join(" ")).join("\n");

async function through(stream, bytes) {
  return new Uint8Array(await new Response(new Blob([bytes]).stream().pipeThrough(stream)).arrayBuffer());
}

/** Undoes gzip, which is how a page of one file holds its modules. */
export const inflated = (bytes) => through(new DecompressionStream("gzip"), bytes);

export async function toUrl(state) {
  const bytes = await through(new CompressionStream("deflate-raw"), new TextEncoder().encode(JSON.stringify(state)));
  const binary = Array.from(bytes, (byte) => String.fromCharCode(byte)).join("");
  return btoa(binary).replace(/\+/g, "-").replace(/\//g, "_").replace(/=+$/, "");
}

export async function fromUrl(text) {
  const binary = atob(text.replace(/-/g, "+").replace(/_/g, "/"));
  const bytes = await through(new DecompressionStream("deflate-raw"), Uint8Array.from(binary, (char) => char.charCodeAt(0)));
  return JSON.parse(new TextDecoder().decode(bytes));
}
