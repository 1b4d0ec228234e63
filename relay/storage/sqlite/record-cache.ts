import type { PackageRecord } from "../../domain/ports.ts";

/** The cache's size, in characters of JSON. Parsed records take a few times that. */
const MAX_CHARACTERS = 4 * 1024 * 1024;

/**
 * A cache of package records, so that polling costs nothing. A record is current until its package is
 * written; after that only its manifest is, which never changes.
 */
export class RecordCache {
  readonly #records = new Map<
    string,
    { readonly record: PackageRecord; readonly characters: number }
  >();
  readonly #current = new Set<string>();
  /** Writes that run, by package; those of any package under `undefined`. */
  readonly #writes = new Map<string | undefined, number>();
  #characters = 0;

  get(packageId: string): PackageRecord | undefined {
    return this.#records.get(packageId)?.record;
  }

  /** Returns the record, unless its package was written since it was read, or is being written. */
  getCurrent(packageId: string): PackageRecord | undefined {
    const isWritten = this.#writes.has(packageId) || this.#writes.has(undefined);
    return this.#current.has(packageId) && !isWritten ? this.get(packageId) : undefined;
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
    if (packageId === undefined) this.#current.clear();
    else this.#current.delete(packageId);
  }

  /** Caches a record in place of an earlier version, and evicts the oldest records to make room. */
  keep(record: PackageRecord, characters: number): void {
    this.forget(record.packageId);
    this.#records.set(record.packageId, { record, characters });
    this.#current.add(record.packageId);
    this.#characters += characters;
    for (const packageId of this.#records.keys()) {
      if (this.#characters <= MAX_CHARACTERS) break;
      this.forget(packageId);
    }
  }

  forget(packageId: string): void {
    this.#characters -= this.#records.get(packageId)?.characters ?? 0;
    this.#records.delete(packageId);
    this.#current.delete(packageId);
  }
}
