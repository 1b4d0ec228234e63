import type { Eventual } from "../../../core/eventual.ts";
import type { AnnouncedManifest, AnnouncedSound } from "../../../core/manifest/manifest.ts";
import type { PackageLife } from "../../../core/protocol/package-state.ts";
import type { PackageStatus, SoundResults } from "../../../core/protocol/package-status.ts";
import type { AddressTiers } from "../../../core/quotas/address-tiers.ts";
import type { IdempotentAnswer, Quotas } from "../../../core/quotas/judge-insert.ts";
import type { HourUsage, Usage } from "../../../core/quotas/judge-room.ts";
import type { DoomedKeys } from "./pairing-records.ts";
import type {
  HeldRoom,
  HoldOptions,
  HoldOutcome,
  RoomOutcome,
  FullOf,
  SparesAsked,
} from "./room.ts";
import type { PartialTurn, ReceivedBytes } from "./sound-keys.ts";

export type { HourUsage, IdempotentAnswer, Quotas, Usage };

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
  /** True once its importer dismissed it, or has a copy of every sound: then it makes room for others (rule L12). */
  readonly isSpare: boolean;
  /** Time at which the last run took it; null before the first. */
  readonly takenAt: number | null;
  /** Time of the last report; null before the first. */
  readonly reportedAt: number | null;
  /** True once its files are deleted, or doomed to be. */
  readonly filesDeleted: boolean;
  /** null without a reservation. One that has lapsed may be null, or still be here. */
  readonly room: HeldRoom | null;
  /** Incremented by every change but those of `room`. Every update requires it to match (compare-and-swap). */
  readonly version: number;
}

/** A package as it is listed, without manifest and results, which can be large. */
export type PackageHead = Pick<
  PackageRecord,
  "packageId" | "appName" | "createdAt" | "life" | "filesDeleted" | "version"
> & {
  /** True once `noteListed` has noted it. May be false at a store without operators. */
  readonly isSeen: boolean;
  /**
   * The point from which the list continues after this package: letters, digits, `-` and `_` that only the store
   * understands.
   */
  readonly cursor: string;
};

/** The part of a list. */
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
  /** The time for the limits of an hour and a day. */
  readonly now: number;
  /** The time for packages and answers that expire; `now` if it is missing (rule Z6). */
  readonly confirmedNow?: number;
  readonly quotas: Quotas;
  /** The client's address, as its limits count it. */
  readonly address: string;
  /** A later end of a reservation comes from a clock that was ahead, and counts as lapsed; none does if missing. */
  readonly latestEnd?: number;
  readonly idempotency: IdempotentAnswer | undefined;
}

/** The asker of a usage, and the time. */
export interface UsageAsked extends AddressTiers {
  readonly now: number;
}

export type InsertOutcome =
  | { readonly kind: "inserted" }
  /** The key was used in the meantime. */
  | { readonly kind: "replay"; readonly earlier: IdempotentAnswer }
  | { readonly kind: "hourly-limit"; readonly freeAt: number }
  | { readonly kind: "many-wait"; readonly fullOf: FullOf | null }
  | RoomOutcome
  /** The device was removed in the meantime. */
  | { readonly kind: "device-gone" };

/** `changed`: the stored version is another one, or the package is gone. Nothing was written. */
export type UpdateOutcome = "updated" | "changed";

/** A file that becomes part of a package that is still being uploaded, or that lost it while it waits (rule Z2). */
export interface AddedFile extends Pick<PackageRecord, "packageId" | "deviceId"> {
  /** The announced sound. */
  readonly sound: Pick<AnnouncedSound, "file" | "bytes" | "sha256">;
  /** Its pending key. */
  readonly key: string;
  /** SHA-256 of the token that it was sent with. Without one, no token is asked for. */
  readonly tokenHash?: string | undefined;
  /** Room that is still held lasts at least until then. Proven time. */
  readonly roomUntil: number;
  /** Its bytes, as far as they don't count yet for the bytes of their address's day (rule L4). */
  readonly received: ReceivedBytes;
  /** Relay time at which the file was whole. */
  readonly arrivedAt: number;
  /** The call's turn to continue the file, where the store has turns. */
  readonly turn?: PartialTurn | undefined;
}

/**
 * - `added`: `doomed` are the keys that it replaced: the file's earlier one, and that of its partial if it has another one.
 * - `changed`: the package is gone, committed (unless it has no outcome and lacks the file), or its files are deleted, or the
 *   token is revoked. Nothing was written.
 * - `denied`: the operator denies the sound (rule AD5). Nothing was written.
 * - `key-gone`: the key is not pending. Nothing was written.
 */
export type AddOutcome =
  | ({ readonly kind: "added" } & DoomedKeys)
  | { readonly kind: "changed" | "denied" | "key-gone" };

/** The packages that a list has: an app's own, or those that a device's importer can import at `now`. */
export type Listed = Owner | { readonly deviceId: string; readonly now: number };

/** The manifest of a package. */
export interface PackageManifest {
  readonly packageId: string;
  readonly manifest: AnnouncedManifest;
}

/** A package whose files have just expired. */
export interface ExpiredPackage {
  readonly packageId: string;
  readonly deviceId: string;
  /** The keys that were doomed. */
  readonly keys: readonly string[];
}

/** The number of packages. */
export interface PackageCensus {
  readonly counts: Readonly<Record<PackageStatus, number>>;
  /** The time of the commit of the package that waits the longest; null if none waits. */
  readonly oldestWaitingAt: number | null;
  /** Bytes that announced packages still lack and hold room for. */
  readonly reservedBytes: number;
}

/**
 * Packages. The duties of `PairingRecords` apply, and these:
 *
 * - `insert` counts, has `judgeInsert` (core) judge the counts, and inserts, all in one step that no other
 *   insert comes between. The counts are maintained, so that announcing costs the same however many
 *   announcements there were before.
 * - `holdRoom` is judged by `judgeRoom` (core) in the same way.
 * - A package's missing bytes count as reserved until its `room` lapses, it lacks nothing, is committed, deleted or
 *   removed. Whatever is uploaded counts for its device, and never as reserved.
 * - `update` and `remove` act only while the stored version is still the one the caller read.
 * - A key that a package gets was pending and is so no longer. Keys that leave `uploaded`, all keys of a
 *   record that gets `filesDeleted`, and those of a removed record become doomed in the same step, and the partials that end
 *   with it (see `SoundKeys`). So does `quarantinedOf` a package that is withdrawn, or removed with its app or device.
 */
export interface PackageRecords {
  /** Inserts a package that has nothing uploaded yet. */
  insert(record: PackageRecord, options: InsertOptions): Promise<InsertOutcome>;
  /** Returns the unexpired answer stored for a key of (device, app id). */
  findIdempotent(owner: Owner, key: string, now: number): Promise<IdempotentAnswer | undefined>;
  /** Reads a package; at once if it is in memory. */
  find(packageId: string): Eventual<PackageRecord | undefined>;
  /**
   * Adds an uploaded file in place of an earlier one, and increments the version. It conflicts with no other file, only with
   * the end of the upload: of it and a commit or a removal, one wins.
   * @throws {TurnLostError} if its turn is another call's
   */
  addFile(added: AddedFile): Promise<AddOutcome>;
  /**
   * Writes life (except `uploadEndsAt`, which never changes), results, their times, isSpare and filesDeleted, and takes out the files that
   * `uploaded` lacks. It adds none. Increments the version.
   */
  update(record: PackageRecord): Promise<UpdateOutcome>;
  /**
   * Prolongs the room of a package that holds some for this address, if nothing is replaced. Otherwise it asks for
   * the room of what the package lacks again, for this address. Leaves the version.
   */
  holdRoom(packageId: string, options: HoldOptions): Promise<HoldOutcome>;
  /**
   * Removes the record and its idempotency key. Returns undefined, and does nothing, if the stored version is another one.
   * @param isWithdrawn its app asked for it, so that a restored backup must not bring it back (rule Z11)
   */
  remove(
    packageId: string,
    version: number,
    isWithdrawn?: boolean,
  ): Promise<DoomedKeys | undefined>;
  /**
   * Lists a page of packages. Fewer than `limit` only at the end of the list. Costs what the page has, however many packages
   * there are. All pages of a list have each package that is in it all the time exactly once.
   * - An app's own: newest first, finished ones too.
   * - A device's importable ones: committed packages whose files still exist; those without an outcome first, then the others,
   *   both newest commit first. A package that gets its outcome between two pages is in them exactly once, too.
   * @returns undefined for a cursor that is none of this store's
   */
  list(of: Listed, page: PackagePage): Promise<readonly PackageHead[] | undefined>;
  /**
   * Notes when packages were first in their importer's list (rule AD12), unless that was noted before. Leaves the
   * version. Need not be durable, and other processes need not notice. A store without operators may ignore it.
   */
  noteListed(listed: ReadonlyMap<string, number>): Promise<void>;
  /**
   * Returns the counts that `insert` would judge for this app at this address now. It is advice: lapsed or expired
   * parts may still count until the next announcement or sweep. Costs the same however many packages there are.
   */
  readUsage(owner: Owner, asked: UsageAsked): Promise<Usage>;
  /** Reads an app's announcements in the hour before `now`. Every announcement asks for it, so it reads nothing else. */
  readHour(owner: Owner, now: number): Promise<HourUsage>;
  /**
   * Reads manifests in the order of the given packages: as many as fit into so many characters of JSON, but at least one.
   * Leaves out packages that are gone. Those after the last returned one are unread, unless none is returned.
   */
  findManifests(
    packageIds: readonly string[],
    maxCharacters: number,
  ): Promise<readonly PackageManifest[]>;
  /**
   * Lists packages whose files have expired but are not deleted, and packages whose window ended `statusWindowMs` ago;
   * the longest due first.
   */
  listDue(now: number, statusWindowMs: number, limit: number): Promise<readonly PackageRecord[]>;
  /**
   * Gives packages whose files have expired `filesDeleted`, up to `limit` of them, the longest due first, all in one step.
   */
  expire(now: number, limit: number): Promise<readonly ExpiredPackage[]>;
  /**
   * Gives spare packages that no run holds `filesDeleted`, those first that were committed first, all in one step: as many
   * as make the room, or some of them. Returns none only if there are none, or if somebody else changes all of them.
   */
  dropSpares(asked: SparesAsked): Promise<readonly ExpiredPackage[]>;
  /**
   * Counts all packages by their status at `now`. May be slow, but keeps no other call waiting, and changes meanwhile may be
   * missing.
   */
  count(now: number): Promise<PackageCensus>;
  /**
   * Deletes what has expired: counted announcements and bytes, idempotency keys, pairing codes, and the log of an
   * operator's actions after 365 days (rule AD2). May end lapsed room. Every sweep calls it.
   */
  forgetOld(now: number): Promise<void>;
}
