/** What is left of a row of pieces without its first `byteCount` bytes; empty pieces are left out. */
export function withoutFirstBytes(pieces: readonly Uint8Array[], byteCount: number): Uint8Array[] {
  let skip = byteCount;
  const rest: Uint8Array[] = [];
  for (const piece of pieces) {
    if (skip < piece.byteLength) rest.push(piece.subarray(skip));
    skip = Math.max(0, skip - piece.byteLength);
  }
  return rest;
}
