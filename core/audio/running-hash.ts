/** A SHA-256 of bytes that arrive in order. */
export interface RunningHash {
  /** True once it can't be continued, as when the thread that held it has ended. */
  readonly isLost?: boolean;
  /**
   * Takes the next bytes. Returns a promise only if the hash is behind: the piece must stay as it is until that resolves,
   * and the sender waits (backpressure).
   */
  update(piece: Uint8Array): Promise<void> | undefined;
  /** Finishes the hash. Resolves with lowercase hex. */
  hex(): Promise<string>;
}

/** Starts a hash. @param sizeBytes about how many bytes there will be */
export type StartHash = (sizeBytes: number) => RunningHash;
