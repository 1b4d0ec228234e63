import type { Warning } from "../core/manifest/manifest.ts";
import type { AnnounceAnswer } from "../core/protocol/public-api.ts";
import type { ClientError } from "./client-error.ts";

/** How far a package has come: first every sound is hashed, then every sound is uploaded. */
export interface SendProgress {
  readonly phase: "hashing" | "uploading";
  /** The sound that went on, by its name on the relay. */
  readonly file: string;
  /** Bytes of that sound that are done in this phase; an upload that is repeated begins at 0 again. */
  readonly fileBytes: number;
  /** Bytes of all sounds that are done in this phase. */
  readonly doneBytes: number;
  /** Bytes of all sounds. */
  readonly totalBytes: number;
}

/** What `send` may be told. */
export interface SendOptions {
  /**
   * Sending again with the same key goes on with the same package as long as its upload window is
   * open. Default: a new one.
   */
  readonly idempotencyKey?: string;
  /** Stops it: what was announced stays until its upload window ends, or is taken back. */
  readonly signal?: AbortSignal;
  readonly onProgress?: (progress: SendProgress) => void;
  /** The package has its id, and its warnings. */
  readonly onAnnounced?: (answer: AnnounceAnswer) => void;
  /** A call failed and is made again after that wait. */
  readonly onRetry?: (error: ClientError, waitSeconds: number) => void;
}

/** A package that waits for Import. */
export interface SentPackage {
  readonly packageId: string;
  /** What the relay repaired in the description. */
  readonly warnings: readonly Warning[];
}
