/** The first delay of a report that was not delivered; each later one doubles it. */
const FIRST_RETRY_MS = 5000;
const LONGEST_RETRY_MS = 10 * 60_000;

/** When each report that was not delivered is sent again: 5 s later, doubling to 10 minutes. */
export class ReportRetries {
  readonly #now: () => number;
  readonly #failed = new Map<string, { readonly delayMs: number; readonly dueAtMs: number }>();

  /** @param now milliseconds on a clock that is never set back */
  constructor(now: () => number) {
    this.#now = now;
  }

  noteFailure(packageId: string): void {
    const before = this.#failed.get(packageId)?.delayMs ?? FIRST_RETRY_MS / 2;
    const delayMs = Math.min(2 * before, LONGEST_RETRY_MS);
    this.#failed.set(packageId, { delayMs, dueAtMs: this.#now() + delayMs });
  }

  /** The report was delivered or replaced. */
  forget(packageId: string): void {
    this.#failed.delete(packageId);
  }

  /** Makes every report due, such as after a connect. */
  forgetAll(): void {
    this.#failed.clear();
  }

  /** Milliseconds until a report is due; 0 where it is. */
  waitMs(packageId: string): number {
    return Math.max(0, (this.#failed.get(packageId)?.dueAtMs ?? 0) - this.#now());
  }
}
