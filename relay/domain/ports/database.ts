/** Notices the changes of other processes in the store. */
export interface StoreChanges {
  /**
   * Calls `onChange` within a second after another process has changed something, and possibly without a reason. The
   * adapter has dropped its own caches by then. Returns a function that stops it.
   */
  watch(onChange: () => void): () => void;
  /**
   * True if reads never lag. Then it calls only for changes of what a relay remembers beyond a call: a renamed or
   * removed device, a revoked token, an unpaired app, an operator's decision.
   */
  readonly onlyRemembered?: boolean;
}

/** An ability that a database may have: it reports the progress of its writes, for metrics. */
export interface StoreWrites {
  /** Number of requested writes that are not durable yet. */
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
   * Keeps the space aside again if the disk has enough room. Resolves with true if the space is kept.
   * @throws if the disk fails for another reason than lack of room
   */
  refill(): Promise<boolean>;
}

/** The names of the switches that an operator can turn off without a restart (rule AD6). */
export const SWITCHES = ["registrations", "announcements", "claims"] as const;
export type SwitchName = (typeof SWITCHES)[number];

/** An operator's decisions about everybody and about single callers, small enough to be kept in memory. */
export interface OperatorDecisions {
  /** Addresses and CIDRs, in the spelling of `parseAddressRange`. */
  readonly addresses: readonly string[];
  readonly devices: readonly string[];
  /** The switches that are off, each with the operator's own sentence if there is one. */
  readonly off: ReadonlyMap<SwitchName, string | undefined>;
}

/**
 * An ability that a database may have: an operator's decisions, which another program makes (`soundferry admin`).
 * Without it a relay has no operator. The caller reads the decisions again when the store says that something
 * changed.
 */
export interface OperatorRecords {
  readDecisions(): Promise<OperatorDecisions>;
  /** Returns the SHA-256 sums, in lowercase hex, that are denied now. Never cached. */
  findDenied(sums: readonly string[]): Promise<ReadonlySet<string>>;
  /** Forgets log entries from before that time. */
  forgetLog(before: number): Promise<void>;
}

/**
 * An ability that a database may have: it keeps a relay's knowledge of the database itself. Without it a relay can't
 * notice that its database was exchanged, and doesn't quarantine anything.
 */
export interface StoreUpkeep {
  /** Returns the instance that the database belongs to; undefined before the first start (rule Z1). */
  readInstance(): Promise<StoredInstance | undefined>;
  keepInstance(instance: StoredInstance): Promise<void>;
  /**
   * An ability of a store whose processes may start at the same time: keeps this id, unbound, unless the database has
   * one already. Resolves with the id that it has.
   */
  proposeInstance?(instanceId: string): Promise<string>;
  /** Checks whether any device was ever registered, also one that was removed since. */
  hasServed(): Promise<boolean>;
  /** Returns the latest relay time that was proven and kept; undefined if there is none (rule Z6). */
  readTime(): Promise<number | undefined>;
  keepTime(time: number): Promise<void>;
  /**
   * An operator says that the machine's clock is right: keeps its time, and leaves a mark. A running relay follows
   * it from its next sweep on, another one from its start.
   * @param time the machine's clock: milliseconds since 1970, UTC
   */
  resetTime(time: number): Promise<void>;
  /** Checks whether `resetTime` left its mark. */
  wasTimeReset(): Promise<boolean>;
  /** Keeps the time and removes the mark, in one step. */
  applyReset(time: number): Promise<void>;
  /**
   * Tries a change without effect. Calls within a second share one try.
   * @throws why no change succeeds, as every change does
   */
  tryChange(): Promise<void>;
  /**
   * Checks whether deletions must wait because a backup is being made. A hold that was made on a clock that was ahead
   * doesn't count.
   */
  isDeletionHeld(now: number): Promise<boolean>;
  /**
   * Lists keys that are pending until `until` or earlier, after the given key, in the order of their code units like
   * `listDoomed`. For partials `partialsUntil` counts, if it is given.
   */
  listPending(page: {
    readonly until: number;
    readonly partialsUntil?: number | undefined;
    readonly after?: string | undefined;
    readonly limit: number;
  }): Promise<readonly string[]>;
  /**
   * Returns the keys that nothing names: they are not pending, not doomed, and in no package. Files of a package whose
   * files are deleted don't count as its own.
   */
  findUnknown(keys: readonly string[]): Promise<readonly string[]>;
  /** Lists packages with uploaded files that are not deleted, after the given package, in the order of their ids. */
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
