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
   */
  addPending(key: string, endsAt: number): Promise<void>;
  /** Dooms the pending keys whose `endsAt` is not after `time`: their writers are gone. */
  doomPending(time: number): Promise<void>;
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
