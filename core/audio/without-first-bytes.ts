/** Drops the first `byteCount` bytes of consecutive pieces, and empty pieces. */
export function withoutFirstBytes(pieces: readonly Uint8Array[], byteCount: number): Uint8Array[] {
  let skip = byteCount;
  const rest: Uint8Array[] = [];
  for (const piece of pieces) {
    if (skip < piece.byteLength) rest.push(piece.subarray(skip));
    skip = Math.max(0, skip - piece.byteLength);
  }
  return rest;
}
