import type { ImportProgress } from "../../core/protocol/import-outcome.ts";
import type { HostPlace } from "../hosts/host.ts";

export interface ImportAllOptions {
  /** The name of another of the importer's hosts (rule R7); its own by default. */
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
  /** Where in the host's session to put the scene; only for callers in the host's process. */
  readonly after?: HostPlace;
}

export interface PackageProgress {
  readonly packageId: string;
  readonly title: string;
  readonly progress: ImportProgress;
}
