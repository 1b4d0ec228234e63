import type { ImportProgress } from "../../core/protocol/import-outcome.ts";
import type { HostPlace } from "../hosts/host.ts";

export interface ImportAllOptions {
  /** One of the importer's other hosts, by name; its own where left out (rule R7). */
  readonly host?: string;
  /** Cancels the run that works; no other follows. */
  readonly signal?: AbortSignal;
  readonly onProgress?: (progress: PackageProgress) => void;
}

export interface ImportOptions extends ImportAllOptions {
  /** Places the package again although a part of it is at the host already (rule R4). */
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
