import type { ReceivedBytes } from "./package-records.ts";

/** A file that is sent in several calls, as far as it came (rule U10). */
export interface PartialSound {
  /** Its pending key. */
  readonly key: string;
  /** How many of its bytes are known to be durable. */
  readonly storedBytes: number;
}

/** What of a partial is durable now. */
export interface KeptPartial extends PartialSound {
  /** The bytes that came since it was last kept, for the bytes of their address's day (rule L4). */
  readonly received: ReceivedBytes;
}

/**
 * The keys of the sound store that no package has: those being uploaded (pending) and those to be deleted
 * (doomed). Together with the packages they name every key that may hold bytes, so that deleting never has to
 * list the sound store, and what no record names was left over by trouble (rule Z4).
 *
 * A key is `<package id>/<random>`, so that a store can look for it in that package.
 *
 * They share the packages' database and transactions: see `PackageRecords`. Their changes are durable and
 * atomic like those of `PairingRecords`.
 */
export interface SoundKeys {
  /**
   * Records a key as pending, before its first byte is stored. After `endsAt` nobody writes to it.
   * Rejects a key that is in use: pending, doomed, or part of a package.
   * @param file see `ResumingSoundKeys`
   */
  addPending(key: string, endsAt: number, file?: string): Promise<void>;
  /**
   * Dooms the pending keys whose `endsAt` is not after `time`: their writers are gone.
   * @param partialsTime the same for partials, where that is earlier
   */
  doomPending(time: number, partialsTime?: number): Promise<void>;
  /**
   * Doomed keys after the given one, in the order of their code units, as JavaScript compares strings. In a
   * database that sorts by language, ask for it: `COLLATE "C"` in PostgreSQL.
   */
  listDoomed(page: {
    readonly after?: string | undefined;
    readonly limit: number;
  }): Promise<readonly string[]>;
  /** Strikes off pending and doomed keys once their bytes are deleted. Ignores other keys. */
  strike(keys: readonly string[]): Promise<void>;
}

/**
 * An ability that a database may have: a pending key may be a *partial*, one of a file that is sent in several calls
 * (rule U10). It is added with its file, which has one at most; adding another one rejects. It outlives the process that
 * writes it.
 *
 * It is doomed in the same step in which its package gets the file with another key, has its files deleted, or is
 * removed. Its bytes count for its package's device as stored, unless the package holds room: that is for them, too.
 */
export interface ResumingSoundKeys extends SoundKeys {
  /** The partials of a package, by file name. */
  findPartials(packageId: string): Promise<ReadonlyMap<string, PartialSound>>;
  /** Records what of a partial is durable. False, and nothing is recorded, if the key isn't one any more. */
  keepPartial(partial: KeptPartial): Promise<boolean>;
  /** Dooms a partial that nobody writes to any more. Ignores other keys. */
  doomPartial(key: string): Promise<void>;
}

export function keepsPartials(keys: SoundKeys): keys is ResumingSoundKeys {
  return "keepPartial" in keys;
}
