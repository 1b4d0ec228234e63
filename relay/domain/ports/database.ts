import type { RegistrationKey } from "../../../core/quotas/judge-registration-key.ts";
import type { AnnouncedBytes } from "./sound-store.ts";

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
  /** True if any sound is denied. */
  readonly deniesSounds: boolean;
  /** True if there is a registration key that was not removed (rule AD13). */
  readonly hasKeys: boolean;
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
  /** Finds a registration key by its SHA-256, also one that was removed in the last year. Never cached. */
  findKey(keyHash: string): Promise<RegistrationKey | undefined>;
}

/**
 * An ability that a database may have: it keeps a relay's knowledge of the database itself. Without it a relay can't
 * notice that its database was exchanged, and doesn't quarantine anything.
 */
export interface StoreUpkeep {
  read(): Promise<StoreState>;
  /**
   * Keeps what is given, in one step, and leaves the rest as it is. Other processes notice a mark of a reset like a
   * decision of the operator (see `StoreChanges.onlyRemembered`).
   */
  keep(
    state: Partial<Pick<StoreState, "instance" | "time" | "wasTimeReset" | "isScrubHalted">>,
    options?: WriteOptions,
  ): Promise<void>;
  /**
   * Keeps this id, unbound, unless the database has one already: processes may start at the same time. Resolves with the
   * id that it has.
   */
  proposeInstance(instanceId: string): Promise<string>;
  /**
   * Tries a change without effect. Calls within a second share one try.
   * @throws why no change succeeds, as every change does
   */
  tryChange(options?: WriteOptions): Promise<void>;
  /**
   * Keeps a scrub's progress and makes this holder its only one until a time, unless another holder's time isn't over
   * (rule Z16). An end later than `latestEnd` was made on a wrong clock, and is void.
   * @returns the progress that is kept now; undefined if the scrub is another's, and nothing was kept
   */
  keepScrub(kept: KeptScrub): Promise<ScrubProgress | undefined>;
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

export interface WriteOptions {
  /**
   * True lets the store skip the write if no process has written, and no write has failed, since the last `keep` with
   * options: an idle relay writes nothing (rule Z17). A store may ignore it.
   */
  readonly onlyIfUsed?: boolean;
}

/** The progress of a scrub (rule Z16). Times are relay time. */
export interface ScrubProgress {
  /** The last package that is compared; empty at the beginning of a run. */
  readonly after: string;
  /** Numbers of sounds of this run. */
  readonly compared: number;
  readonly differing: number;
  /** End of the last run; 0 before it. */
  readonly finishedAt: number;
}

export interface KeptScrub {
  /** The process. */
  readonly holder: string;
  readonly now: number;
  readonly until: number;
  readonly latestEnd: number;
  /** Undefined leaves it as it is. */
  readonly progress?: ScrubProgress | undefined;
}

/** The files that a package has. */
export interface PackageFiles {
  readonly packageId: string;
  /** File name → key in the sound store. */
  readonly uploaded: ReadonlyMap<string, string>;
  /** Key → its file as it was announced. */
  readonly announced: ReadonlyMap<string, AnnouncedBytes>;
}

/** A database's knowledge of itself. */
export interface StoreState {
  /** The instance that it belongs to; undefined before the first start (rule Z1). */
  readonly instance?: StoredInstance | undefined;
  /** True if any device was ever registered, also one that was removed since. */
  readonly hasServed: boolean;
  /** The latest relay time that was proven and kept; undefined if there is none (rule Z6). */
  readonly time?: number | undefined;
  /**
   * True if an operator says that the machine's clock is right, and `time` is its time. A running relay follows it from
   * its next sweep on, another one from its start.
   */
  readonly wasTimeReset: boolean;
  /** True after a scrub found so many differing sounds that it stopped, until an operator has checked all. */
  readonly isScrubHalted: boolean;
  /** Ends of the holds of backups that are being made: see `isHeldAt` (rule Z10). */
  readonly holds: readonly number[];
}

export interface StoredInstance {
  readonly instanceId: string;
  /** False until the sound store has the same id: a crash in between is completed at the next start. */
  readonly isBound: boolean;
}
