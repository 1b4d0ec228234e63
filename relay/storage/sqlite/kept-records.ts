import type { PackageRecord } from "../../domain/ports.ts";

/** All kept records together, in characters of their JSON; parsed they take a few times that. */
const MAX_CHARACTERS = 4 * 1024 * 1024;

/**
 * Package records read lately, so that one asked for again, as by polling, costs nothing. A record is sure
 * until its package is written; then it is good only if the stored version is still the same. Its
 * manifest is good for ever.
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

  /** A kept record is what is stored now. */
  makeSure(packageId: string): void {
    this.#sure.add(packageId);
  }

  /** A package, or with no id any of them, may have been written. */
  doubt(packageId?: string): void {
    if (packageId === undefined) this.#sure.clear();
    else this.#sure.delete(packageId);
  }

  /** Keeps a record in place of an earlier version; the ones kept for longest make room. */
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
