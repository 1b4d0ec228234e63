/** Bytes that all uploads together may hold in memory before they are written. */
const BUDGET_BYTES = 24 * 1024 * 1024;
const LARGEST_BATCH_BYTES = 1024 * 1024;
const SMALLEST_BATCH_BYTES = 64 * 1024;

/** Shares memory among uploads: few write in batches of 1 MiB, many in smaller ones, down to 64 KiB. */
export class WriteBudget {
  #writers = 0;

  /** How much a writer collects before it writes. It holds twice that: one batch fills during a write. */
  get batchBytes(): number {
    const share = BUDGET_BYTES / (2 * Math.max(1, this.#writers));
    return Math.min(LARGEST_BATCH_BYTES, Math.max(SMALLEST_BATCH_BYTES, share));
  }

  /** Counts one writer until the returned function is called. */
  enter(): () => void {
    this.#writers += 1;
    return () => {
      this.#writers -= 1;
    };
  }
}
