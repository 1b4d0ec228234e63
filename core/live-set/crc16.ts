/** The bytes of a file, from its first one, that Live's checksum covers. */
export const CRC_BYTES = 16_384;

const POLYNOMIAL = 0x8005;

/**
 * Computes the checksum by which Live recognizes a file that was moved: CRC-16/UMTS of its first 16,384 bytes, or of all
 * of a shorter one.
 * @param start the file's first bytes; those after the 16,384th don't count
 */
export function crc16(start: Uint8Array): number {
  let crc = 0;
  for (const byte of start.subarray(0, CRC_BYTES)) {
    crc ^= byte << 8;
    for (let bit = 0; bit < 8; bit += 1) {
      crc = ((crc << 1) ^ (crc & 0x8000 ? POLYNOMIAL : 0)) & 0xffff;
    }
  }
  return crc;
}
