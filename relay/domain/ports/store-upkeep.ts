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
