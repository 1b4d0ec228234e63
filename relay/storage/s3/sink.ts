/** Where the bytes of a sound go that comes whole, until the object is made. */
export interface Sink {
  /** Takes the next piece. Undefined if more may come; else resolves once it may. */
  offer(piece: Uint8Array): Promise<void> | undefined;
  /** After the last piece: resolves once the object is certain. */
  finish(): Promise<void>;
  /** Ends every call that runs, and waits for them. */
  cancel(): Promise<void>;
}
