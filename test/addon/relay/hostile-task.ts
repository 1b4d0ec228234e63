/** The task of a process with an importer among hostile relays. */
export interface HostileTask {
  readonly folder: string;
  /** Hostile relays by base address, with a pattern of what the panel says there; null for one whose download fails. */
  readonly relays: readonly (readonly [address: string, says: string | null])[];
  readonly honest: string;
  /** True for a reader without limits instead of an importer. */
  readonly isNaive?: boolean;
}

export interface HostileReport {
  /** The process's largest resident memory, in MiB. */
  readonly peakMb: number;
  /** The panel's sentence at each relay. */
  readonly troubles: readonly string[];
  readonly mostListed: number;
  /** Names of the scenes in the session. */
  readonly scenes: readonly string[];
  readonly imported: number;
  readonly failures: readonly unknown[];
}
