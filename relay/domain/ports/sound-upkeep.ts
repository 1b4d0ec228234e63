import type { SoundStore } from "./sound-store.ts";

/** A sound as the store has it. */
export interface StoredSound {
  readonly key: string;
  readonly bytes: number;
  readonly isFinished: boolean;
  /** When it was last written, by the clock of the machine that stores it: milliseconds since 1970, UTC. */
  readonly changedAt: number;
}

/** A finished sound that was put aside because no record knows it. */
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
  /** Whether it holds any sound, finished or not, also in the quarantine. */
  holdsSounds(): Promise<boolean>;
}

export function isBound(store: SoundStore): store is BoundSoundStore {
  return "readInstance" in store;
}

/**
 * An ability that a store may have: a quarantine for finished sounds that no record knows (rule Z4). A
 * quarantined sound is not found by `open` and `exists`. `delete` also deletes it there.
 */
export interface QuarantiningSoundStore extends SoundStore {
  /** Every sound that is not in the quarantine. */
  list(): AsyncIterable<StoredSound>;
  /** How many bytes each of these sounds has that is finished and not in the quarantine. */
  sizes(keys: readonly string[]): Promise<ReadonlyMap<string, number>>;
  /** Durable once it resolves. Ignores keys without a finished sound. */
  quarantine(keys: readonly string[], since: number): Promise<void>;
  /** @param packageId lists only those of one package, without looking at others */
  listQuarantined(packageId?: string): AsyncIterable<QuarantinedSound>;
  /** Puts sounds back to where `open` finds them. Ignores keys that are not in the quarantine. */
  putBack(keys: readonly string[]): Promise<void>;
  /** Removes what is empty: folders that no sound is in. */
  tidy(): Promise<void>;
}

export function quarantines(store: SoundStore): store is QuarantiningSoundStore {
  return "listQuarantined" in store;
}
