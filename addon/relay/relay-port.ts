import type {
  ImportablePackage,
  ReportAnswer,
  TakeAnswer,
} from "../../core/protocol/importer-api.ts";
import type { SoundResults } from "../../core/protocol/package-status.ts";

/**
 * What an import asks of a relay.
 *
 * The adapter's duty: what it rejects with is an `Error` whose message is a sentence for the person
 * who imports, and whose `status` is the HTTP status that the relay answered, or undefined where no
 * answer came; `retryAfterSeconds` is how long to wait before the next call. A file that can't be opened is
 * not tried again: the import does that.
 */
export interface RelayPort {
  /** The relay's base address, always in the same spelling: results that wait for it are filed under that. */
  readonly relayUrl: string;
  /** Takes a package for a run, or renews that run's hold on it (rule S2). */
  take(
    packageId: string,
    run: { readonly run_id: string; readonly force?: boolean },
  ): Promise<TakeAnswer>;
  /**
   * Opens one of the package's files; `path` is the relay's own. Aborting the signal closes the
   * body, read or not, whose reading then rejects.
   */
  openFile(
    path: string,
    options: { readonly startByte: number; readonly signal: AbortSignal },
  ): Promise<OpenedFile>;
  report(packageId: string, results: SoundResults): Promise<ReportAnswer>;
}

/** A package as a relay lists it, with the relay to fetch it from. */
export interface ListedPackage {
  readonly listed: ImportablePackage;
  readonly relay: RelayPort;
}

export interface OpenedFile {
  /** Where in the file the body starts: what was asked for, or 0 where the relay ignored the range. */
  readonly startByte: number;
  /**
   * Ends early, or rejects, when the connection is cut. Its pieces are handed over: the reader empties
   * them when it is done.
   */
  readonly body: AsyncIterable<Uint8Array>;
}

/** The HTTP status that an error of a `RelayPort` carries; undefined where the relay gave no answer. */
export function statusOfError(error: unknown): number | undefined {
  if (!(error instanceof Error) || !("status" in error)) return undefined;
  return typeof error.status === "number" ? error.status : undefined;
}

/** How long to wait before the next call; undefined where the relay did not say. */
export function retryAfterOfError(error: unknown): number | undefined {
  if (!(error instanceof Error) || !("retryAfterSeconds" in error)) return undefined;
  return typeof error.retryAfterSeconds === "number" ? error.retryAfterSeconds : undefined;
}
