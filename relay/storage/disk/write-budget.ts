/** Bytes that all uploads together may hold in memory on their way to the disk. */
const BUDGET_BYTES = 24 * 1024 * 1024;
const LARGEST_BATCH_BYTES = 1024 * 1024;
const SMALLEST_BATCH_BYTES = 64 * 1024;

/**
 * Shares memory among the uploads that run: each writes in batches of 1 MiB while there are few, and in
 * smaller ones as they grow in number, down to 64 KiB.
 */
export class WriteBudget {
  #writers = 0;

  /** What one writer should collect before it writes. Twice that is held: one batch fills while one is written. */
  get batchBytes(): number {
    const share = BUDGET_BYTES / (2 * Math.max(1, this.#writers));
    return Math.min(LARGEST_BATCH_BYTES, Math.max(SMALLEST_BATCH_BYTES, share));
  }

  /** Counts one writer until the given function is called. */
  enter(): () => void {
    this.#writers += 1;
    return () => {
      this.#writers -= 1;
    };
  }
}
