/** Returns the size of an ID3v2 tag with its header and footer; 0 if there is none. */
export function tagBytes(start: DataView): number {
  if (start.byteLength < 10 || start.getUint32(0) >>> 8 !== 0x49_44_33) return 0;
  const contentBytes = [6, 7, 8, 9].reduce(
    (size, at) => size * 128 + (start.getUint8(at) & 127),
    0,
  );
  return contentBytes + ((start.getUint8(5) & 0x10) === 0 ? 10 : 20);
}
