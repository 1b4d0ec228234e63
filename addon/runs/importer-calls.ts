import type { ImportOutcome, ImportProgress } from "../../core/protocol/import-outcome.ts";
import type {
  AppsAnswer,
  ImportablePackage,
  PairingCodeAnswer,
  PairingReply,
  PairingRequestAnswer,
} from "../../core/protocol/importer-api.ts";
import type { HostPlace } from "../hosts/host.ts";
import type { InboxPackage, UsableInboxPackage } from "../state/importer-state.ts";

/** The calls of an importer in this process or another one (rule R3). */
export interface ImporterCalls {
  /** Creates a code, which replaces the previous one and lives to its end (rule P2). */
  pairingCode(): Promise<PairingCodeAnswer>;
  /** Returns the app that has claimed the code and waits for approval, if there is one (rule P12). */
  pairingRequest(): Promise<PairingRequestAnswer>;
  /** Approves or denies the request. @throws {Error} with a sentence once the request is over */
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

export interface ImportAllOptions {
  /** Name of another host of the importer (rule R7); the own host by default. */
  readonly host?: string;
  /** Cancels the current run; no other starts. */
  readonly signal?: AbortSignal;
  readonly onProgress?: (progress: PackageProgress) => void;
}

export interface ImportOptions extends ImportAllOptions {
  /** Ids or names of the sounds to import (rule R10); absent for all that the host doesn't have yet. */
  readonly only?: readonly string[];
  /** Places the sounds on the tracks of an earlier import, at a host that can. */
  readonly reuseTracks?: boolean;
  /** Places the package even if the host already holds a part of it (rule R4). */
  readonly again?: boolean;
  /** Takes the lease from another run (rule S2). */
  readonly takeOver?: boolean;
  /** Sets the session's tempo, where the host has one (rule R6). */
  readonly sessionTempoBpm?: number;
  /** The path of a Set whose shape the new one takes, where the host writes Live Sets (rule LS12). */
  readonly template?: string;
  /** Place of the scene in the host's session; only for callers in the host's process. */
  readonly after?: HostPlace;
}

export interface PackageProgress {
  readonly packageId: string;
  readonly title: string;
  readonly progress: ImportProgress;
}

/** The packages of the relay, the inbox and the sounds folder, as the command line prints them (rule K5). */
export interface PackagesToImport {
  readonly packages: readonly ImportablePackage[];
  readonly local: readonly InboxPackage[];
  /** Packages that only the sounds folder has (rule F10); absent without any. */
  readonly saved?: readonly UsableInboxPackage[];
  /** Ids of the packages that a person dismissed (rule R12); absent without any. */
  readonly dismissed?: readonly string[];
  /** Sentence on why the relay's packages are missing. */
  readonly relay_error?: string;
  /** Sentence on why no app is paired at this relay although this computer has been there before (rule P9). */
  readonly relay_note?: string;
}

export interface ImportAllOutcome {
  readonly packages: readonly ImportOutcome[];
  /** Packages that weren't imported, with the reasons. */
  readonly failures: readonly { readonly source: string; readonly error: string }[];
}

/** The result of a dismissal, or of its undoing. */
export interface Dismissal {
  readonly package_id: string;
  readonly title: string;
  readonly dismissed: boolean;
  /** State of the report: `sent`, or `waits` in the outbox; null where nothing is reported. */
  readonly report: "sent" | "waits" | null;
}
