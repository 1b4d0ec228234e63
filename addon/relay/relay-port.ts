import type {
  ImportablePackage,
  ReportAnswer,
  ReportedResults,
  TakeAnswer,
} from "../../core/protocol/importer-api.ts";

/**
 * An import's port to a relay. An adapter rejects with an `Error` that has a sentence for people, the
 * relay's HTTP `status` (undefined where no answer came) and its `retryAfterSeconds`. It doesn't retry
 * `openFile`: the import does. What the relay itself refuses is a `RelayError` with the relay's code.
 */
export interface RelayPort {
  /** The normalized address at which this importer registered, and its device there: the key of pending reports. */
  readonly relayUrl: string;
  readonly deviceId?: string;
  /** Takes a package's lease for a run, or renews it (rule S2). Nothing is sent once the signal has aborted. */
  take(
    packageId: string,
    run: { readonly run_id: string; readonly force?: boolean },
    signal?: AbortSignal,
  ): Promise<TakeAnswer>;
  /** Opens a file at the relay's own `path`. Aborting the signal closes the body; reading it then throws. */
  openFile(
    path: string,
    options: { readonly startByte: number; readonly signal: AbortSignal },
  ): Promise<OpenedFile>;
  report(packageId: string, results: ReportedResults): Promise<ReportAnswer>;
}

/** The target of a report: the relay's address, and the device that the package was sent to. */
export type Reporter = Pick<RelayPort, "relayUrl" | "deviceId">;

/** A package as a relay lists it, with its relay. */
export interface ListedPackage {
  readonly listed: ImportablePackage;
  readonly relay: RelayPort;
}

export interface OpenedFile {
  /** The body's offset in the file: the requested one, or 0 where the relay ignored the range. */
  readonly startByte: number;
  /** The body's length as announced; absent where it wasn't. */
  readonly bodyBytes?: number | undefined;
  /**
   * The bytes, which end early or throw when the connection breaks. The reader owns the pieces and frees their
   * memory.
   */
  readonly body: AsyncIterable<Uint8Array>;
}
