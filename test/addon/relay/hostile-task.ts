/** What a process with an importer does among hostile relays. */
export interface HostileTask {
  readonly folder: string;
  /** Base addresses of hostile relays. */
  readonly addresses: readonly string[];
  readonly honest: string;
  /** Time with each relay. */
  readonly dwellMs: number;
  /** True for a reader without limits instead of an importer. */
  readonly isNaive?: boolean;
}

export interface HostileReport {
  /** The process's largest resident memory, in MiB. */
  readonly peakMb: number;
  /** What the panel would say at each relay. */
  readonly troubles: readonly string[];
  readonly mostListed: number;
  /** Names of the scenes in the session. */
  readonly scenes: readonly string[];
  readonly imported: number;
  readonly failures: readonly unknown[];
}
