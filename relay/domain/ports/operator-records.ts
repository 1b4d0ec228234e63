/** What an operator can switch off without a restart (rule AD6). */
export const SWITCHES = ["registrations", "announcements", "claims"] as const;
export type SwitchName = (typeof SWITCHES)[number];

/** What an operator decided about everybody and somebody, small enough to be kept in memory. */
export interface OperatorDecisions {
  /** Addresses and CIDRs, in the spelling of `parseAddressRange`. */
  readonly addresses: readonly string[];
  readonly devices: readonly string[];
  /** What is off, with the operator's own sentence if there is one. */
  readonly off: ReadonlyMap<SwitchName, string | undefined>;
}

/**
 * An ability that a database may have: an operator's decisions, which another program makes (`soundferry admin`).
 * Without it a relay has no operator. The caller reads the decisions again when the store says that something
 * changed.
 */
export interface OperatorRecords {
  readDecisions(): Promise<OperatorDecisions>;
  /** Those of the SHA-256 sums, in lowercase hex, that are denied now. Never cached. */
  findDenied(sums: readonly string[]): Promise<ReadonlySet<string>>;
  /** Devices that no app was ever paired with, and that were not seen since. */
  listNeverPaired(unseenSince: number): Promise<readonly string[]>;
  /** Forgets log entries from before that time. */
  forgetLog(before: number): Promise<void>;
}
