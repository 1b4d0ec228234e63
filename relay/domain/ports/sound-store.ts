/** Returns the id of the package that a sound's key is for. */
export function packageOfKey(key: string): string {
  return key.split("/")[0] ?? "";
}

const QUARANTINED = "/quarantined";

/** Returns the key that is doomed with a removed package. It means what the quarantine has of that package (rule Z4). */
export function quarantinedOf(packageId: string): string {
  return packageId + QUARANTINED;
}

/** Checks whether a key means what the quarantine has of a removed package. No sound has such a key. */
export function isQuarantinedOf(key: string): boolean {
  return key.endsWith(QUARANTINED);
}

/** A sound as announced. A store can reserve room by it, or have its engine check it. */
export interface AnnouncedBytes {
  readonly bytes: number;
  /** Lowercase hex. */
  readonly sha256: string;
}

/** A range of bytes, from the first to the last, both included. */
export interface ByteRange {
  readonly start: number;
  readonly end: number;
}

/**
 * The bytes of sounds, by key. A key is `<package id>/<random>`, each of letters, digits, `-` and `_`, and is
 * never used twice. `create`, `open` and `delete` reject what is no key.
 *
 * A sound is *finished* once `finish` has resolved: its bytes and its name then survive a crash and a power
 * cut, and every process finds it from then on. Until `finish` is called nobody finds it, and while it runs
 * others find the whole sound or none. After a crash nothing less than the whole can be opened. A deleted
 * sound is never found again, even if it was being written. Deleting never interrupts a running read. A full
 * store rejects with `StoreFullError`.
 *
 * The caller ends each writer with `finish` or `discard`, and may `discard` after a `finish` that failed. It
 * writes nothing after either.
 */
export interface SoundStore<Writer extends SoundWriter = SoundWriter> {
  /** Starts a sound. Rejects if the key is in use. */
  create(key: string, announced: AnnouncedBytes): Promise<Writer>;
  /**
   * Reads the bytes of a range, in pieces that the caller owns; undefined if the sound is not finished. It may be
   * undefined, too, if damage left the sound too short for the range.
   */
  open(key: string, range: ByteRange): Promise<AsyncIterable<Uint8Array> | undefined>;
  /** Returns the number of bytes of each of these sounds that is finished and not in the quarantine. */
  sizes(keys: readonly string[]): Promise<ReadonlyMap<string, number>>;
  /** Lists every sound that is not in the quarantine, finished or not. */
  list(): AsyncIterable<StoredSound>;
  /**
   * Deletes sounds, finished or not, and resolves once no crash brings them back. Ignores keys that do not
   * exist. Tries every key even after one fails, and then rejects.
   * @param options `mayReturn` says that finished sounds only have to be gone for now: a crash may bring them back, and
   * others may stay, until the caller deletes them again without it. So a store can free room before it makes deletions
   * durable. A store may ignore it
   */
  delete(keys: readonly string[], options?: { readonly mayReturn?: boolean }): Promise<void>;
  /** Returns the number of bytes that can still be stored; "unknown" if the store can't tell. */
  room(): Promise<number | "unknown">;
  /**
   * An ability that a store may have: others may fetch a sound from it directly. Returns an address at which anybody can
   * read the sound, with ranges, for that time; undefined if the store gives none. The address ends neither with the
   * package nor with the caller's token. The sound may not exist.
   */
  addressOf?(key: string, seconds: number): Promise<string | undefined>;
  /**
   * An ability that a store may have: its engine keeps a SHA-256 of what it received. Returns it in lowercase hex; undefined
   * if the engine keeps none of this sound, or there is no such finished sound. Reads no bytes of the sound.
   */
  checksumOf?(key: string): Promise<string | undefined>;
}

export interface SoundWriter {
  /**
   * Takes ownership of one piece: the store may detach its buffer once it is written, so the caller must not
   * use it again. Resolves when there is room for the next one (backpressure).
   */
  write(piece: Uint8Array): Promise<void> | void;
  finish(): Promise<void>;
  /** Deletes what was written. */
  discard(): Promise<void>;
}

/** An ability that a store may have: a sound can be continued after its writer's process has ended. */
export interface ResumingSoundStore extends SoundStore<SuspendableWriter> {
  /** Continues an unfinished sound that nobody is writing; undefined if there is none. */
  resume(key: string): Promise<ResumedSound | undefined>;
}

export interface SuspendableWriter extends SoundWriter {
  /** Ends the writer and keeps the bytes. Resolves with their number once they are durable. */
  suspend(): Promise<number>;
}

export interface ResumedSound {
  /** Number of stored bytes; never fewer than `suspend` answered. The next piece goes after them. */
  readonly storedBytes: number;
  /** Reads the stored bytes, to hash them again. */
  read(): AsyncIterable<Uint8Array>;
  readonly writer: SuspendableWriter;
}

export function resumesSounds(store: SoundStore): store is ResumingSoundStore {
  return "resume" in store;
}

/** A sound as the store has it. */
export interface StoredSound {
  readonly key: string;
  readonly bytes: number;
  readonly isFinished: boolean;
  /** The time of the last write, by the clock of the machine that stores it: milliseconds since 1970, UTC. */
  readonly changedAt: number;
}

/** A finished sound that is quarantined because no record knows it. */
export interface QuarantinedSound {
  readonly key: string;
  readonly bytes: number;
  /** Relay time, milliseconds. */
  readonly since: number;
}

/** An ability that a store may have: it belongs to one database, and remembers to which (rule Z1). */
export interface BoundSoundStore extends SoundStore {
  readInstance(): Promise<string | undefined>;
  keepInstance(instanceId: string): Promise<void>;
}

export function isBound(store: SoundStore): store is BoundSoundStore {
  return "readInstance" in store;
}

/**
 * An ability that a store may have: a quarantine for finished sounds that no record knows (rule Z4). A
 * quarantined sound is not found by `open`, `sizes` and `list`. `delete` also deletes it there.
 */
export interface QuarantiningSoundStore extends SoundStore {
  /**
   * Quarantines sounds. Durable once it resolves. Ignores keys without a finished sound outside the quarantine.
   * @param since null puts sounds back to where `open` finds them, and ignores keys that are not in the quarantine
   */
  quarantine(keys: readonly string[], since: number | null): Promise<void>;
  /** @param packageId lists only those of one package, without looking at others */
  listQuarantined(packageId?: string): AsyncIterable<QuarantinedSound>;
  /** Removes what is empty: folders that no sound is in. */
  tidy(): Promise<void>;
}

export function quarantines(store: SoundStore): store is QuarantiningSoundStore {
  return "listQuarantined" in store;
}
