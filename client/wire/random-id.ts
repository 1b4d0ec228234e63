/** Returns 128 random bits as 32 hex digits. Pages loaded over plain http have no `crypto.randomUUID`. */
export function randomId(): string {
  return hexOf(crypto.getRandomValues(new Uint8Array(16)));
}

/** Formats bytes as lowercase hex digits. */
export function hexOf(bytes: Uint8Array): string {
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
}
