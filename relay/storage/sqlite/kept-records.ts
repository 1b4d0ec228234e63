import type { PackageRecord } from "../../domain/ports.ts";

/** The cache's size, in characters of JSON. Parsed records take a few times that. */
const MAX_CHARACTERS = 4 * 1024 * 1024;

/**
 * A cache of package records, so that polling costs nothing. A record is certain until its package is
 * written; after that it is valid only if the stored version is still the same. Its manifest never changes.
 */
export class KeptRecords {
  readonly #kept = new Map<
    string,
    { readonly record: PackageRecord; readonly characters: number }
  >();
  readonly #sure = new Set<string>();
  #characters = 0;

  get(packageId: string): PackageRecord | undefined {
    return this.#kept.get(packageId)?.record;
  }

  /** The record, unless its package was written since it was read. */
  getSure(packageId: string): PackageRecord | undefined {
    return this.#sure.has(packageId) ? this.get(packageId) : undefined;
  }

  /** Marks a cached record as current. */
  makeSure(packageId: string): void {
    this.#sure.add(packageId);
  }

  /** Marks a package, or without an id all of them, as possibly written. */
  doubt(packageId?: string): void {
    if (packageId === undefined) this.#sure.clear();
    else this.#sure.delete(packageId);
  }

  /** Caches a record in place of an earlier version, and evicts the oldest records to make room. */
  keep(record: PackageRecord, characters: number): void {
    this.forget(record.packageId);
    this.#kept.set(record.packageId, { record, characters });
    this.#sure.add(record.packageId);
    this.#characters += characters;
    for (const packageId of this.#kept.keys()) {
      if (this.#characters <= MAX_CHARACTERS) break;
      this.forget(packageId);
    }
  }

  forget(packageId: string): void {
    this.#characters -= this.#kept.get(packageId)?.characters ?? 0;
    this.#kept.delete(packageId);
    this.#sure.delete(packageId);
  }
}
