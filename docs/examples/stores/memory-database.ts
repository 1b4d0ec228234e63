import {
  packageOfKey,
  quarantinedOf,
  type DeviceRecord,
  type IdempotentAnswer,
  type Owner,
  type PackageRecord,
  type PairingCode,
  type PairingRecord,
  type PartialSound,
  type ReceivedBytes,
  type PairingRequest,
} from "../../../relay/index.ts";

/**
 * The tables, which all instances of the store share. JavaScript runs one piece of code at a time, so a method
 * that never awaits is a transaction.
 */
export class MemoryDatabase {
  readonly devices = new Map<string, DeviceRecord>();
  /** SHA-256 of a token → its device. */
  readonly deviceTokens = new Map<string, string>();
  /** Devices that were paired, even if no app is any more. */
  readonly pairedDevices = new Set<string>();
  /** Device → its code. */
  readonly codes = new Map<string, PairingCode & { readonly deviceId: string }>();
  /** Device → the claim of its code that waits for a yes. */
  readonly requests = new Map<string, PairingRequest>();
  readonly pairings = new Map<string, PairingRecord>();
  /** SHA-256 of a token → its pairing, oldest first. */
  readonly appTokens = new Map<string, string>();
  /** Hash of a claim that can be repeated → its token, and when. */
  readonly claims = new Map<
    string,
    { readonly tokenHash: string; readonly arrivedAt: number; readonly endsAt: number }
  >();
  readonly packages = new Map<string, PackageRecord>();
  /** Package → when it was first reported, as the number of first reports up to then. */
  readonly firstReports = new Map<string, number>();
  reportCount = 0;
  /** Idempotency key of an app → the answer. */
  readonly answers = new Map<
    string,
    { readonly packageId: string; readonly answer: IdempotentAnswer }
  >();
  announcements: (Owner & { readonly at: number })[] = [];
  /** Files that became part of a package. */
  received: ReceivedBytes[] = [];
  /** Pending key → when its upload ends. */
  readonly pending = new Map<string, number>();
  readonly doomed = new Set<string>();
  /** Package → file → what came of it in several calls. */
  readonly partials = new Map<string, Map<string, PartialSound>>();
  readonly watchers = new Set<{ readonly of: object; readonly onChange: () => void }>();

  /** Tells every instance but one that something changed. */
  changedBy(instance: object): void {
    for (const { of, onChange } of this.watchers) if (of !== instance) onChange();
  }

  /** Removes a package with its answer. Returns its keys, which are doomed from then on. */
  removePackage(record: PackageRecord, keepsQuarantined = false): string[] {
    this.packages.delete(record.packageId);
    this.firstReports.delete(record.packageId);
    deleteWhere(this.answers, ({ packageId }) => packageId === record.packageId);
    const keys = [...keysOf(record), ...this.doomPartials(record.packageId, () => true)];
    if (!keepsQuarantined) keys.push(quarantinedOf(record.packageId));
    for (const key of keys) this.doomed.add(key);
    return keys;
  }

  /** Dooms the partials of a package's files that match. Returns their keys. */
  doomPartials(packageId: string, matches: (file: string) => boolean): string[] {
    const found = [...(this.partials.get(packageId) ?? [])].filter(([file]) => matches(file));
    const keys = found.map(([, { key }]) => key);
    this.forgetPending(keys);
    for (const key of keys) this.doomed.add(key);
    return keys;
  }

  /** A key that is no longer pending is no partial. */
  forgetPending(keys: readonly string[]): void {
    for (const key of keys) {
      this.pending.delete(key);
      const files = this.partials.get(packageOfKey(key));
      if (files !== undefined) deleteWhere(files, (partial) => partial.key === key);
    }
  }
}

/** The keys that a package has: none once its files are deleted. */
export function keysOf({ uploaded, filesDeleted }: PackageRecord): string[] {
  return filesDeleted ? [] : [...uploaded.values()];
}

/** Deletes the rows that match. */
export function deleteWhere<Row>(table: Map<string, Row>, matches: (row: Row) => boolean): void {
  for (const [key, row] of table) if (matches(row)) table.delete(key);
}

/** Checks whether a package takes a file. One that waits takes only what it lost. */
export function takesFile({ life, uploaded, filesDeleted }: PackageRecord, file: string): boolean {
  if (filesDeleted) return false;
  return life.committedAt === null || (life.outcome === null && !uploaded.has(file));
}
