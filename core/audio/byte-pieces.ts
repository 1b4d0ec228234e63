/**
 * Releases a chunk's memory at once and empties it, unless it is a view of a larger buffer. The garbage
 * collector would let a hundred megabytes pile up first. No effect on runtimes older than ES2024.
 */
export function freeBytes({ buffer, byteLength }: Uint8Array): void {
  const owned: ArrayBufferLike & { readonly transfer?: (bytes: number) => unknown } = buffer;
  if (byteLength > 0 && byteLength === owned.byteLength) owned.transfer?.(0);
}

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
