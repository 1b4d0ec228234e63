/** Cryptographically strong random bytes. */
export type RandomBytes = (count: number) => Uint8Array;

/** SHA-256. */
export interface Digest {
  /** Lowercase hex of the text's UTF-8. */
  ofText(text: string): string;
  ofBytes(bytes: Uint8Array): string;
  /** Of many bytes, without keeping the event loop. Takes ownership of the pieces. */
  ofPieces(pieces: AsyncIterable<Uint8Array>): Promise<string>;
  /** Hashes bytes piece by piece. `hex` finishes the hash. */
  start(): { update(piece: Uint8Array): void; hex(): string };
}
