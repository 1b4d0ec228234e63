import type { PackageRecord } from "../../domain/ports.ts";

/** The cache's size, in characters of JSON. Parsed records take a few times that. */
const MAX_CHARACTERS = 4 * 1024 * 1024;

interface Cached {
  readonly record: PackageRecord;
  readonly characters: number;
  /** The generation in which it was read; undefined once its package may have been written. */
  generation: number | undefined;
}

/**
 * A cache of package records, so that polling costs nothing. A record is current until its package is
 * written; after that only its manifest is, which never changes.
 */
export class RecordCache {
  readonly #records = new Map<string, Cached>();
  /** Writes that run, by package; those of any package under `undefined`. */
  readonly #writes = new Map<string | undefined, number>();
  #characters = 0;
  /** Number of times that all records became stale. */
  #generation = 0;

  get(packageId: string): PackageRecord | undefined {
    return this.#records.get(packageId)?.record;
  }

  /** Returns the record, unless its package was written since it was read, or is being written. */
  getCurrent(packageId: string): PackageRecord | undefined {
    const cached = this.#records.get(packageId);
    if (cached?.generation !== this.#generation) return undefined;
    const writes = this.#writes;
    const isWritten = writes.size > 0 && (writes.has(packageId) || writes.has(undefined));
    return isWritten ? undefined : cached.record;
  }

  /**
   * Says that a package is being written, or any without an id. Other reads see the write from its commit on, before
   * its reply arrives. Returns a function that says that it is over.
   */
  beginWrite(packageId?: string): () => void {
    const running = (more: number) => (this.#writes.get(packageId) ?? 0) + more;
    this.#writes.set(packageId, running(1));
    return () => {
      const left = running(-1);
      if (left > 0) this.#writes.set(packageId, left);
      else this.#writes.delete(packageId);
      this.markStale(packageId);
    };
  }

  /** Marks a package as possibly written. Without an id, marks all of them. */
  markStale(packageId?: string): void {
    if (packageId === undefined) this.#generation += 1;
    else {
      const cached = this.#records.get(packageId);
      if (cached !== undefined) cached.generation = undefined;
    }
  }

  /** Caches a record in place of an earlier version, and evicts the oldest records to make room. */
  keep(record: PackageRecord, characters: number): void {
    this.forget(record.packageId);
    this.#records.set(record.packageId, { record, characters, generation: this.#generation });
    this.#characters += characters;
    for (const packageId of this.#records.keys()) {
      if (this.#characters <= MAX_CHARACTERS) break;
      this.forget(packageId);
    }
  }

  forget(packageId: string): void {
    this.#characters -= this.#records.get(packageId)?.characters ?? 0;
    this.#records.delete(packageId);
  }
}
