/** The polynomial of ZIP and PNG, with its bits reversed. */
const POLYNOMIAL = 0xedb8_8320;
/** The number of bytes that one round takes; each has a table of its own. */
const STRIDE = 8;

/** Tables of 256 remainders, one after another: of a byte, of a byte that one more byte follows, and so on. */
const TABLES = makeTables();

/**
 * Returns the CRC-32 of bytes, from 0 to 2³² - 1.
 * @param before the CRC-32 of the bytes before them
 */
export function crc32(bytes: Uint8Array, before = 0): number {
  let crc = ~before;
  let at = 0;
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  for (; at + STRIDE <= bytes.length; at += STRIDE) {
    const low = crc ^ view.getInt32(at, true);
    const high = view.getInt32(at + 4, true);
    crc =
      remainder(7, low) ^
      remainder(6, low >>> 8) ^
      remainder(5, low >>> 16) ^
      remainder(4, low >>> 24) ^
      remainder(3, high) ^
      remainder(2, high >>> 8) ^
      remainder(1, high >>> 16) ^
      remainder(0, high >>> 24);
  }
  for (; at < bytes.length; at += 1) crc = remainder(0, crc ^ (bytes[at] ?? 0)) ^ (crc >>> 8);
  return ~crc >>> 0;
}

/** Returns the remainder of a byte, the lowest of a number, that this many bytes follow. */
function remainder(following: number, byte: number): number {
  return TABLES[following * 256 + (byte & 0xff)] ?? 0;
}

function makeTables(): Int32Array {
  const tables = new Int32Array(STRIDE * 256);
  for (let byte = 0; byte < 256; byte += 1) {
    let crc = byte;
    for (let bit = 0; bit < 8; bit += 1) crc = (crc >>> 1) ^ ((crc & 1) === 1 ? POLYNOMIAL : 0);
    tables[byte] = crc;
  }
  for (let index = 256; index < tables.length; index += 1) {
    const shorter = tables[index - 256] ?? 0;
    tables[index] = (shorter >>> 8) ^ (tables[shorter & 0xff] ?? 0);
  }
  return tables;
}
