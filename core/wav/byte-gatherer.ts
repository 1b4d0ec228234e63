/** Takes bytes that were waited for: they begin at `at` in `view` and are only lent. */
export type TakeBytes = (view: DataView, at: number) => void;

/**
 * Waits for a few bytes at a time at chosen offsets of a file that is shown in windows of any size.
 * Bytes that a window holds whole are lent from there without a copy; only those that two or more
 * windows share are put together here. What nobody waits for is passed over unread.
 */
export class ByteGatherer {
  readonly #held: Uint8Array;
  readonly #take: TakeBytes;
  #heldBytes = 0;
  #wantedOffset = 0;
  #wantedBytes = 0;

  /** @param maxBytes the most that is ever waited for at a time. */
  constructor(maxBytes: number, take: TakeBytes) {
    this.#held = new Uint8Array(maxBytes);
    this.#take = take;
  }

  /** File offset of the first byte that is still needed. */
  get wantedOffset(): number {
    return this.#wantedOffset;
  }

  /** Waits for `bytes`, at least 1, at `offset`, which must not lie before anything already taken. */
  want(offset: number, bytes: number): void {
    this.#wantedOffset = offset;
    this.#wantedBytes = bytes;
  }

  /** Waits for nothing any more. */
  stop(): void {
    this.#wantedOffset = Number.POSITIVE_INFINITY;
  }

  /**
   * Shows the bytes of the file from `windowOffset` on; windows come in rising order and leave out
   * nothing from `wantedOffset` on. `take` is called as often as they allow; each time it must want
   * more or stop.
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
