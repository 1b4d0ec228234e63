/**
 * Gives the memory of a piece back at once, where it is no part of a larger one; the piece is empty
 * afterwards. Left to the garbage collector, a hundred megabytes of pieces come together before it looks,
 * and fresh memory costs more than what is done with it. Does nothing where the runtime is older than ES2024.
 */
export function freeBytes({ buffer, byteLength }: Uint8Array): void {
  const owned: ArrayBufferLike & { readonly transfer?: (bytes: number) => unknown } = buffer;
  if (byteLength > 0 && byteLength === owned.byteLength) owned.transfer?.(0);
}
