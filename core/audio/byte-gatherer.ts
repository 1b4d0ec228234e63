/** Receives the requested bytes, at `at` in `view`; valid only during the call. */
export type TakeBytes = (view: DataView, at: number) => void;

/**
 * Collects a few bytes at a time, at requested offsets, from a file that arrives in windows of any size.
 * Copies only bytes that span several windows; skips everything else unread.
 */
export class ByteGatherer {
  readonly #held: Uint8Array;
  readonly #take: TakeBytes;
  #heldBytes = 0;
  #wantedOffset = 0;
  #wantedBytes = 0;

  /** @param maxBytes largest request */
  constructor(maxBytes: number, take: TakeBytes) {
    this.#held = new Uint8Array(maxBytes);
    this.#take = take;
  }

  /** File offset of the next byte needed. */
  get wantedOffset(): number {
    return this.#wantedOffset;
  }

  /** Requests `bytes`, at least 1, at `offset`, which must not precede bytes already taken. */
  want(offset: number, bytes: number): void {
    this.#wantedOffset = offset;
    this.#wantedBytes = bytes;
  }

  /** Requests nothing more. */
  stop(): void {
    this.#wantedOffset = Number.POSITIVE_INFINITY;
  }

  /**
   * Reads the file's bytes from `windowOffset`. Windows must be in order, without gaps after
   * `wantedOffset`. Calls `take` for each complete request; `take` must call `want` or `stop`.
   */
  show(window: Uint8Array, windowOffset: number): void {
    const windowEnd = windowOffset + window.byteLength;
    if (this.#wantedOffset >= windowEnd) return;
    const view = new DataView(window.buffer, window.byteOffset, window.byteLength);
    while (this.#wantedOffset < windowEnd) {
      const at = this.#wantedOffset - windowOffset;
      if (this.#heldBytes === 0 && this.#wantedOffset + this.#wantedBytes <= windowEnd) {
        this.#take(view, at);
      } else {
        this.#hold(window.subarray(at, at + this.#wantedBytes));
      }
    }
  }

  #hold(part: Uint8Array): void {
    this.#held.set(part, this.#heldBytes);
    this.#heldBytes += part.byteLength;
    this.#wantedOffset += part.byteLength;
    this.#wantedBytes -= part.byteLength;
    if (this.#wantedBytes > 0) return;
    this.#heldBytes = 0;
    this.#take(new DataView(this.#held.buffer), 0);
  }
}
