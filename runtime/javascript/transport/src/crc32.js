import zlib from "node:zlib";

let table;

function made() {
  return Uint32Array.from({ length: 256 }, (_, byte) => {
    let value = byte;
    for (let bit = 0; bit < 8; bit++) value = value & 1 ? (value >>> 1) ^ 0xedb88320 : value >>> 1;
    return value;
  });
}

/** CRC-32 (IEEE 802.3), a byte at a time: for versions of Node without one. */
export function plainCrc32(bytes, before = 0) {
  table ??= made();
  let crc = ~before;
  for (const byte of bytes) crc = (crc >>> 8) ^ table[(crc ^ byte) & 255];
  return ~crc >>> 0;
}

export const crc32 = zlib.crc32 ?? plainCrc32;
