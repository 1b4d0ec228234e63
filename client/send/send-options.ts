import type { Warning } from "../../core/manifest/manifest.ts";
import type { AnnounceAnswer } from "../../core/protocol/public-api.ts";
import type { ClientError } from "../wire/client-error.ts";

/** A package's progress: first every sound is hashed, then every sound is uploaded. */
export interface SendProgress {
  readonly phase: "hashing" | "uploading";
  /** Id of the sound that made progress: the draft's, or its position. */
  readonly id: string;
  /** Its name: the draft's, or the `File`'s without extension; otherwise as `file`. */
  readonly name: string;
  /** Its name on the relay. */
  readonly file: string;
  /** Number of that sound's bytes done in this phase. Falls if fewer had arrived when an upload resumes. */
  readonly fileBytes: number;
  /** Number of bytes of all sounds done in this phase. */
  readonly doneBytes: number;
  /** Number of bytes of all sounds. */
  readonly totalBytes: number;
}

/** A step of `send`. `paused`: the relay is unreachable or asked to wait; sending resumes automatically. */
export type SendState = "hashing" | "uploading" | "paused" | "committing";

/** Options of `send`. */
export interface SendOptions {
  /** Sending again with this key resumes the package while its upload window is open. Default: a new key. */
  readonly idempotencyKey?: string;
  /** Aborts sending and withdraws the package; `send` then throws `AbortedSend`. */
  readonly signal?: AbortSignal;
  /**
   * Keeps the sounds in the browser until they are sent or a day has passed, so that `unfinished` can resume
   * them after the page was reloaded. `session` keeps them in memory, until the page is left or reloaded: nothing is
   * stored on this computer. Default: false.
   */
  readonly keep?: boolean | "session";
  /** The id under which `unfinished` lists them. Default: a new one. */
  readonly keepId?: string;
  /** Time to wait for an unreachable relay. Default: 1 hour; 24 hours with `keep`. */
  readonly giveUpAfterMs?: number;
  readonly onProgress?: (progress: SendProgress) => void;
  /** Called with each new state, and with the reason for `paused`. */
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
  /** Repairs that the relay made in the description. */
  readonly warnings: readonly Warning[];
}

/** A package that this page, or another of its origin, kept (`keep`) and didn't send completely. */
export interface Unfinished {
  /** Stable; the package's `Idempotency-Key`. */
  readonly keepId: string;
  /** Title of the draft. */
  readonly title: string | undefined;
  /** The sounds' names on the relay, in the draft's order. */
  readonly files: readonly string[];
  /** The sounds' ids and names, in the draft's order. */
  readonly sounds: readonly { readonly id: string; readonly name: string }[];
  /** Size of all sounds together. */
  readonly totalBytes: number;
  readonly startedAt: Date;
  /** undefined until the package is announced. */
  readonly packageId: string | undefined;
  /**
   * Sends the rest of the package.
   * @throws {ClientError} as `send` does, such as `NOT_PAIRED`; `SENT_ELSEWHERE` while another tab sends it; `UNFINISHED_GONE`
   */
  resume(options?: Omit<SendOptions, "idempotencyKey" | "keep" | "keepId">): Promise<SentPackage>;
  /**
   * Forgets the package and withdraws it, as far as there is a pairing.
   * @throws {ClientError} `SENT_ELSEWHERE` while another tab sends it
   */
  forget(): Promise<void>;
}
