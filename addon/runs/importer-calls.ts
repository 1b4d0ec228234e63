import type { Manifest } from "../../core/manifest/manifest.ts";
import type {
  AppsAnswer,
  ImportablePackage,
  PairingCodeAnswer,
} from "../../core/protocol/importer-api.ts";
import type { ImportOutcome, ImportProgress } from "../../core/protocol/import-outcome.ts";
import type { HostPlace } from "../hosts/host.ts";

/** What can be asked of an importer, of one in this process or of one that runs elsewhere (rule R3). */
export interface ImporterCalls {
  /** A new code; the one before it is dead. */
  pairingCode(): Promise<PairingCodeAnswer>;
  apps(): Promise<AppsAnswer>;
  unpair(pairingId: string): Promise<void>;
  /** Renames this computer; gives the name that apps see. */
  rename(deviceName: string): Promise<string>;
  packages(): Promise<PackagesToImport>;
  /**
   * Imports one package. Whoever asks for one that is being imported already shares that run's
   * outcome, and can't cancel it.
   * @param source the id of a package that the relay or the inbox has, or the path of a folder
   * @throws {Error} with a sentence when nothing of it could be imported at all
   */
  import(source: string, options?: ImportOptions): Promise<ImportOutcome>;
  /** Imports every package that waits, and every inbox package that is new to the host, one by one. */
  importAll(options?: ImportAllOptions): Promise<ImportAllOutcome>;
}

export interface ImportAllOptions {
  /** One of the importer's other hosts, by name; its own where left out (rule R7). */
  readonly host?: string;
  /** Cancels the run that works; no other follows. */
  readonly signal?: AbortSignal;
  readonly onProgress?: (progress: PackageProgress) => void;
}

export interface ImportOptions extends ImportAllOptions {
  /** Places the package anew although a part of it is at the host already (rule R4). */
  readonly again?: boolean;
  /** Takes the package over from another run that holds it (rule S2). */
  readonly takeOver?: boolean;
  /** Sets the session's tempo, where the host has one (rule R6). */
  readonly sessionTempoBpm?: number;
  /** Where in the host's session to put the scene; for whoever shares the host's process. */
  readonly after?: HostPlace;
}

/** How far the run of one package is. */
export interface PackageProgress {
  readonly packageId: string;
  readonly title: string;
  readonly progress: ImportProgress;
}

/** The relay's packages and the inbox's, as the command line prints them (rule K5). */
export interface PackagesToImport {
  readonly packages: readonly ImportablePackage[];
  readonly local: readonly InboxPackage[];
  /** Why the relay's packages are not among them. */
  readonly relay_error?: string;
}

/** A folder of the inbox (rule R5). */
export type InboxPackage =
  | {
      readonly folder: string;
      readonly package_id: string;
      readonly manifest: Manifest;
      /** Whether some run brought at least one of its sounds into the importer's own host. */
      readonly imported: boolean;
    }
  | {
      readonly folder: string;
      /** Why it is no package. */
      readonly error: string;
    };

export interface ImportAllOutcome {
  readonly packages: readonly ImportOutcome[];
  /** What could not be imported at all, each with its reason. */
  readonly failures: readonly { readonly source: string; readonly error: string }[];
}

/** Whether a text names a package by its id; any other names a folder. */
export function isPackageId(source: string): boolean {
  return /^(pkg_[\w-]+|local_[0-9a-f]{32})$/.test(source);
}
