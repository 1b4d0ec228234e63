import type { SendOptions, SentPackage } from "./send-options.ts";

/** A package that was kept (`keep: true`) and not sent to its end, by this page or another of its origin. */
export interface Unfinished {
  /** Stable; the package's `Idempotency-Key`. */
  readonly id: string;
  /** As the draft has it. */
  readonly title: string | undefined;
  /** The sounds' names on the relay, in the draft's order. */
  readonly files: readonly string[];
  /** Of all sounds. */
  readonly totalBytes: number;
  readonly startedAt: Date;
  /** undefined if it was not announced yet. */
  readonly packageId: string | undefined;
  /**
   * Sends the rest.
   * @throws {ClientError} as `send` does; `SENT_ELSEWHERE` while another tab sends it; `UNFINISHED_GONE`
   */
  resume(options?: Omit<SendOptions, "idempotencyKey" | "keep">): Promise<SentPackage>;
  /**
   * Forgets it and withdraws its package.
   * @throws {ClientError} `SENT_ELSEWHERE` while another tab sends it
   */
  forget(): Promise<void>;
}
