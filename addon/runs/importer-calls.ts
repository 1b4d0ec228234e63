import type {
  AppsAnswer,
  PairingCodeAnswer,
  PairingReply,
  PairingRequestAnswer,
} from "../../core/protocol/importer-api.ts";
import type { ImportOutcome } from "../../core/protocol/import-outcome.ts";
import type { Dismissal } from "./dismisser.ts";
import type { ImportAllOutcome, PackagesToImport } from "./import-all.ts";
import type { ImportAllOptions, ImportOptions } from "./import-options.ts";

/** The calls of an importer in this process or another one (rule R3). */
export interface ImporterCalls {
  /** Creates a code, which replaces the previous one and lives to its end (rule P2). */
  pairingCode(): Promise<PairingCodeAnswer>;
  /** The app that has claimed the code and waits for a yes, if there is one (rule P12). */
  pairingRequest(): Promise<PairingRequestAnswer>;
  /** @throws {Error} with a sentence once the request is over */
  answerPairing(reply: PairingReply): Promise<void>;
  apps(): Promise<AppsAnswer>;
  unpair(pairingId: string): Promise<void>;
  /** Renames this computer; returns the name that apps see. */
  rename(deviceName: string): Promise<string>;
  packages(): Promise<PackagesToImport>;
  /**
   * Imports one package. A call for a package whose run is queued or active shares its outcome and can't
   * cancel it.
   * @param source the id of a package at the relay or in the inbox, or a folder's path
   * @throws {Error} with a sentence when the run failed
   */
  import(source: string, options?: ImportOptions): Promise<ImportOutcome>;
  /** Imports every waiting package, and every inbox package that is new to the host, one at a time. */
  importAll(options?: ImportAllOptions): Promise<ImportAllOutcome>;
  /**
   * Dismisses a package (rule R12).
   * @param source as for `import`
   * @throws {Error} with a sentence while it is being imported, or when there is no such package
   */
  dismiss(source: string): Promise<Dismissal>;
  /** Undoes a dismissal. @throws {Error} with a sentence when the package is gone */
  undoDismiss(source: string): Promise<Dismissal>;
}
