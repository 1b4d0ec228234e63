import type { Warning } from "../../core/manifest/manifest.ts";
import type { AnnounceAnswer } from "../../core/protocol/public-api.ts";
import type { ClientError } from "../wire/client-error.ts";

/** A package's progress: first every sound is hashed, then every sound is uploaded. */
export interface SendProgress {
  readonly phase: "hashing" | "uploading";
  /** The sound that made progress, by its name on the relay. */
  readonly file: string;
  /** Bytes of that sound done in this phase; falls when an interrupted upload resumes at what arrived. */
  readonly fileBytes: number;
  /** Bytes of all sounds done in this phase. */
  readonly doneBytes: number;
  /** Bytes of all sounds. */
  readonly totalBytes: number;
}

/** What `send` is doing. `paused`: the relay can't be reached, or asked to wait; it resumes automatically. */
export type SendState = "hashing" | "uploading" | "paused" | "committing";

/** Options of `send`. */
export interface SendOptions {
  /** Sending again with this key resumes the package while its upload window is open. Default: a new key. */
  readonly idempotencyKey?: string;
  /** Aborts sending and withdraws the package; `send` then throws `AbortedSend`. */
  readonly signal?: AbortSignal;
  /**
   * Keeps the sounds in the browser until they are sent or a day has passed, so that `unfinished` can resume
   * them after the page was reloaded. Default: false.
   */
  readonly keep?: boolean;
  /** How long to wait for a relay that can't be reached. Default: 1 hour; 24 hours with `keep`. */
  readonly giveUpAfterMs?: number;
  readonly onProgress?: (progress: SendProgress) => void;
  /** Called with each new state; with `paused` it gets the reason. */
  readonly onState?: (state: SendState, error?: ClientError) => void;
  /** Called once the package has its id and its warnings. */
  readonly onAnnounced?: (answer: AnnounceAnswer) => void;
  /** Called when a call failed and will be retried after that wait at the latest. */
  readonly onRetry?: (error: ClientError, waitSeconds: number) => void;
  /** Called if `keep` is not possible here. The package is sent anyway. */
  readonly onNotKept?: (error: ClientError) => void;
}

/** A package that is ready to import. */
export interface SentPackage {
  readonly packageId: string;
  /** What the relay repaired in the description. */
  readonly warnings: readonly Warning[];
}

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
