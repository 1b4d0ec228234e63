/** The first four bytes of every kind of WAV, including the refused kinds. */
export const CONTAINERS = ["RIFF", "RF64", "BW64", "RIFX"];

/** Checks whether a WAV of any kind starts here. */
export function isWavStart(bytes: Uint8Array, at = 0): boolean {
  return CONTAINERS.includes(textAt(bytes, at)) && textAt(bytes, at + 8) === "WAVE";
}

/** Checks whether a file starts like an AIFF or AIFF-C. */
export function isAiff(start: Uint8Array): boolean {
  const kind = textAt(start, 8);
  return textAt(start, 0) === "FORM" && (kind === "AIFF" || kind === "AIFC");
}

/** Returns the size of an ID3v2 tag with its header and footer; 0 if there is none. */
export function tagBytes(start: DataView): number {
  if (start.byteLength < 10 || start.getUint32(0) >>> 8 !== 0x49_44_33) return 0;
  const contentBytes = [6, 7, 8, 9].reduce(
    (size, at) => size * 128 + (start.getUint8(at) & 127),
    0,
  );
  return contentBytes + ((start.getUint8(5) & 0x10) === 0 ? 10 : 20);
}

/** Reads a four-character code. */
export function textAt(bytes: Uint8Array, at: number): string {
  return String.fromCharCode(...bytes.subarray(at, at + 4));
}

/** Checks whether a file starts like Git LFS's pointer to a file that it hasn't fetched: `version https://git-lfs…` */
export function isLfsPointer(start: Uint8Array): boolean {
  return textAt(start, 0) === "vers" && textAt(start, 8) === "http";
}
