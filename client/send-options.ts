import type { Warning } from "../core/manifest/manifest.ts";
import type { AnnounceAnswer } from "../core/protocol/public-api.ts";
import type { ClientError } from "./client-error.ts";

/** A package's progress: first every sound is hashed, then every sound is uploaded. */
export interface SendProgress {
  readonly phase: "hashing" | "uploading";
  /** The sound that made progress, by its name on the relay. */
  readonly file: string;
  /** Bytes of that sound done in this phase; a retried upload starts at 0 again. */
  readonly fileBytes: number;
  /** Bytes of all sounds done in this phase. */
  readonly doneBytes: number;
  /** Bytes of all sounds. */
  readonly totalBytes: number;
}

/** Options of `send`. */
export interface SendOptions {
  /** Sending again with this key resumes the package while its upload window is open. Default: a new key. */
  readonly idempotencyKey?: string;
  /** Aborts sending. An announced package stays until its upload window ends or it is withdrawn. */
  readonly signal?: AbortSignal;
  readonly onProgress?: (progress: SendProgress) => void;
  /** Called once the package has its id and its warnings. */
  readonly onAnnounced?: (answer: AnnounceAnswer) => void;
  /** Called when a call failed and will be retried after that wait. */
  readonly onRetry?: (error: ClientError, waitSeconds: number) => void;
}

/** A package that is ready to import. */
export interface SentPackage {
  readonly packageId: string;
  /** What the relay repaired in the description. */
  readonly warnings: readonly Warning[];
}
