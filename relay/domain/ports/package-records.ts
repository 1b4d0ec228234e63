import type { AnnouncedManifest } from "../../../core/manifest/manifest.ts";
import type { PackageLife } from "../../../core/protocol/package-state.ts";
import type { SoundResults } from "../../../core/protocol/package-status.ts";
import type { IdempotentAnswer, Quotas } from "../../../core/quotas/judge-insert.ts";

export type { IdempotentAnswer, Quotas };

/** A package as it is stored. */
export interface PackageRecord {
  readonly packageId: string;
  readonly deviceId: string;
  readonly appId: string;
  readonly appName: string;
  readonly createdAt: number;
  readonly manifest: AnnouncedManifest;
  readonly life: PackageLife;
  /** Uploaded files: file name → key in the sound store. */
  readonly uploaded: ReadonlyMap<string, string>;
  readonly results: SoundResults | null;
  /** True once its files are deleted, or doomed to be. */
  readonly filesDeleted: boolean;
  /** Incremented by every change. Every update requires it to match (compare-and-swap). */
  readonly version: number;
}

/** What a list has of a package: no manifest and no results, which can be large. */
export type PackageHead = Pick<
  PackageRecord,
  "packageId" | "appName" | "createdAt" | "life" | "filesDeleted" | "version"
> & {
  /** Where the list continues after this package: letters, digits, `-` and `_` that only the store understands. */
  readonly cursor: string;
};

/** Which part of a list. */
export interface PackagePage {
  /** The cursor of the last package of the page before; undefined for the first page. */
  readonly after: string | undefined;
  readonly limit: number;
}

/** The device and app that packages belong to. */
export interface Owner {
  readonly deviceId: string;
  readonly appId: string;
}

export interface InsertOptions {
  /** For the limits of an hour and a day. */
  readonly now: number;
  /** For what expires: packages that count, and answers. `now` if it is missing (rule Z6). */
  readonly provenNow?: number;
  readonly quotas: Quotas;
  /** The client's address, as its limits count it. */
  readonly address: string;
  readonly idempotency: IdempotentAnswer | undefined;
}

export type InsertOutcome =
  | { readonly kind: "inserted" }
  /** The key was used in the meantime. */
  | { readonly kind: "replay"; readonly earlier: IdempotentAnswer }
  | { readonly kind: "hourly-limit" | "address-limit"; readonly freeAt: number }
  | { readonly kind: "many-wait" | "device-full" | "no-room" }
  /** The device was removed in the meantime. */
  | { readonly kind: "device-gone" };

/**
 * - `changed`: the stored version is another one, or the package is gone. Nothing was written.
 * - `key-gone`: a key that is new in `uploaded` is not pending. Nothing was written.
 */
export type UpdateOutcome = "updated" | "changed" | "key-gone";

/** A package whose files have just expired. */
export interface ExpiredPackage {
  readonly packageId: string;
  readonly deviceId: string;
  /** What was doomed. */
  readonly keys: readonly string[];
}

/**
 * Packages. The duties of `PairingRecords` apply, and these:
 *
 * - `insert` counts, has `judgeInsert` (core) judge the counts, and inserts, all in one step that no other
 *   insert comes between. The counts are maintained, so that announcing costs the same however many
 *   announcements there were before.
 * - `update` and `remove` act only while the stored version is still the one the caller read.
 * - A key that is new in `uploaded` was pending and is so no longer. Keys that leave `uploaded`, all keys of a
 *   record that gets `filesDeleted`, and those of a removed record become doomed in the same step.
 */
export interface PackageRecords {
  /** Inserts a package that has nothing uploaded yet. */
  insert(record: PackageRecord, options: InsertOptions): Promise<InsertOutcome>;
  /** The unexpired answer stored for a key of (device, app id). */
  findIdempotent(owner: Owner, key: string, now: number): Promise<IdempotentAnswer | undefined>;
  find(packageId: string): Promise<PackageRecord | undefined>;
  /**
   * Writes life (except `uploadEndsAt`, which never changes), uploaded, results and filesDeleted, and nothing
   * else. Increments the version.
   */
  update(record: PackageRecord): Promise<UpdateOutcome>;
  /**
   * Removes the record and its idempotency key.
   * @param isWithdrawn its app asked for it, so that a restored backup must not bring it back (rule Z11)
   */
  remove(packageId: string, version: number, isWithdrawn?: boolean): Promise<boolean>;
  /**
   * A page of a device's committed packages whose files still exist: those without an outcome first, then the others,
   * both newest commit first. Fewer than `limit` only at the end of the list. Costs what the page has, however many
   * packages there are. All pages of a list have each package that is in it all the time exactly once, also one that
   * gets its outcome between two pages.
   * @returns undefined for a cursor that is none of this store's
   */
  listImportable(
    deviceId: string,
    now: number,
    page: PackagePage,
  ): Promise<readonly PackageHead[] | undefined>;
  /** A package's manifest, without the rest of it; undefined once it is gone. */
  findManifest(packageId: string): Promise<AnnouncedManifest | undefined>;
  /**
   * Packages whose files have expired but are not deleted, and packages whose window ended `statusWindowMs`
   * ago; the longest due first.
   */
  listDue(now: number, statusWindowMs: number, limit: number): Promise<readonly PackageRecord[]>;
  /**
   * An ability that a store may have: gives packages whose files have expired `filesDeleted`, up to `limit` of
   * them, the longest due first, all in one step. Without it the relay updates one after the other.
   */
  expire?(now: number, limit: number): Promise<readonly ExpiredPackage[]>;
  /** Deletes counted announcements, idempotency keys and pairing codes that have expired. */
  forgetOld(now: number): Promise<void>;
}
