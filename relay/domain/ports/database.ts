/** Notices what other processes change in the store. */
export interface StoreChanges {
  /**
   * Calls `onChange` within a second after another process has changed something; it may also call it for no
   * reason. What the adapter itself caches is dropped by then. Returns a function that stops it.
   */
  watch(onChange: () => void): () => void;
  /**
   * True where reads never lag: then it calls for what a relay remembers beyond a call, and need not for anything else.
   * That is a renamed or removed device, a revoked token, an unpaired app, and what an operator decides.
   */
  readonly onlyRemembered?: boolean;
}

/** An ability that a database may have: it tells how its writes get on, for metrics. */
export interface StoreWrites {
  /** Writes that were asked for and are not durable yet. */
  readonly waiting: number;
  /**
   * Calls `listener` after each write, refused ones too, with the milliseconds from the call to its answer. Returns a
   * function that stops it.
   */
  onWritten(listener: (ms: number) => void): () => void;
}

/**
 * An ability that a database may have: space that it keeps aside and gives up when its disk is full, so that
 * small changes still succeed: a withdrawal, an import, a deletion (rule Z7).
 */
export interface Ballast {
  /** Calls the listener whenever a change met a full disk, until the returned function is called. */
  watch(onFull: () => void): () => void;
  /**
   * Keeps the space aside again if the disk has enough room. Resolves with whether it is kept.
   * @throws if the disk fails for another reason than lack of room
   */
  refill(): Promise<boolean>;
}

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

/**
 * An ability that a database may have: it remembers what a relay needs to know of the database itself. Without
 * it a relay can't tell that its database was exchanged, and doesn't quarantine anything.
 */
export interface StoreUpkeep {
  /** The instance that the database belongs to; undefined before the first start (rule Z1). */
  readInstance(): Promise<StoredInstance | undefined>;
  keepInstance(instance: StoredInstance): Promise<void>;
  /**
   * An ability that a store may have whose processes may start at the same time: keeps this id, unbound, unless the
   * database has one already. Resolves with the one that it has.
   */
  proposeInstance?(instanceId: string): Promise<string>;
  /** Whether any device was ever registered, also one that was removed since. */
  hasServed(): Promise<boolean>;
  /** The latest relay time that was proven and kept; undefined if there is none (rule Z6). */
  readTime(): Promise<number | undefined>;
  keepTime(time: number): Promise<void>;
  /**
   * An operator says that the machine's clock is right: keeps its time, and leaves a mark. A running relay follows
   * it from its next sweep on, another one from its start.
   * @param time the machine's clock: milliseconds since 1970, UTC
   */
  resetTime(time: number): Promise<void>;
  /** Whether that mark is there. */
  wasTimeReset(): Promise<boolean>;
  /** Keeps the time and removes the mark, in one step. */
  heedReset(time: number): Promise<void>;
  /**
   * Tries a change that means nothing. Calls within a second share one try.
   * @throws why no change succeeds, as every change does
   */
  tryChange(): Promise<void>;
  /** Whether deletions must wait, because a backup is being made. A hold of a clock that was ahead counts for nothing. */
  isDeletionHeld(now: number): Promise<boolean>;
  /**
   * Keys that are pending until `until` or earlier, after the given one, in the order of their code units like
   * `listDoomed`. Partials until `partialsUntil`, which is `until` if it is missing.
   */
  listPending(page: {
    readonly until: number;
    readonly partialsUntil?: number | undefined;
    readonly after?: string | undefined;
    readonly limit: number;
  }): Promise<readonly string[]>;
  /**
   * Those of the keys that nothing names: they are not pending, not doomed, and no package has them. Files of a
   * package whose files are deleted don't count as its own.
   */
  findUnknown(keys: readonly string[]): Promise<readonly string[]>;
  /** Packages that have uploaded files which are not deleted, after the given one, in the order of their ids. */
  listWithFiles(page: {
    readonly after?: string | undefined;
    readonly limit: number;
  }): Promise<readonly PackageFiles[]>;
}

/** The files that a package has. */
export interface PackageFiles {
  readonly packageId: string;
  /** File name → key in the sound store. */
  readonly uploaded: ReadonlyMap<string, string>;
  /** Key → how many bytes its file was announced with. */
  readonly announced: ReadonlyMap<string, number>;
}

export interface StoredInstance {
  readonly instanceId: string;
  /** False until the sound store has the same id: a crash in between is completed at the next start. */
  readonly isBound: boolean;
}
