import type { AnnouncedManifest } from "../../../core/manifest/manifest.ts";
import { filesEndAt } from "../../../core/protocol/package-state.ts";
import type { SoundResult, SoundResults } from "../../../core/protocol/package-status.ts";
import type { ImportHistory } from "../../../core/quotas/budgets.ts";
import type { HeldRoom, PackageHead, PackageRecord } from "../../domain/ports.ts";
import type { TableName, TABLES } from "./tables.ts";

/** A row with any columns. */
export type Row = Readonly<Record<string, unknown>>;

type Columns<Table extends TableName> = (typeof TABLES)[Table]["columns"];
type Type<Description> = Description extends `text${string}` ? string : number;
type Value<Description> = Description extends
  | `numbered${string}`
  | `${string}NOT NULL${string}`
  | `${string}PRIMARY KEY${string}`
  ? Type<Description>
  : Type<Description> | null;

/** A row of a table, or of some of its columns, with the types that the table's description says. */
export type RowOf<
  Table extends TableName,
  Column extends keyof Columns<Table> = keyof Columns<Table>,
> = { readonly [Name in Column]: Value<Columns<Table>[Name]> };

type CamelCased<Name> = Name extends `${infer First}_${infer Rest}`
  ? `${First}${Capitalize<CamelCased<Rest>>}`
  : Name;

/** The members of a row by their names in TypeScript: `deviceId` for `device_id`. */
export type RecordOf<Columns> = {
  readonly [Name in keyof Columns as CamelCased<Name> & string]: Columns[Name];
};

/** A row of a table that is read by `membersOf`. */
export type MembersOf<
  Table extends TableName,
  Column extends keyof Columns<Table> = keyof Columns<Table>,
> = RecordOf<RowOf<Table, Column>>;

/** The days of a device's imports. */
export const IMPORT_COLUMNS = ["import_days", "first_import_day", "last_import_day"] as const;
type Imports = MembersOf<"devices", (typeof IMPORT_COLUMNS)[number]>;

/** Converts a row with a device's days of imports; it has none before the first one. */
export function withImports<Members extends Imports>(row: Members) {
  const { importDays: days, firstImportDay: first, lastImportDay: last, ...record } = row;
  const imports: ImportHistory = { days, firstDay: first ?? 0, lastDay: last ?? 0 };
  return days > 0 ? { ...record, imports } : record;
}

/** The operator's limits of a device. */
export const QUOTA_COLUMNS = ["bytes_quota", "waiting_quota"] as const;

/** Converts a row with a device's limits; it has none if both are the relay's. */
export function withQuota<Members extends MembersOf<"devices", (typeof QUOTA_COLUMNS)[number]>>(
  row: Members,
) {
  const { bytesQuota: bytes, waitingQuota: waiting, ...record } = row;
  return bytes === null && waiting === null ? record : { ...record, quota: { bytes, waiting } };
}

/** The columns of a new package; its manifest is in `manifests`. The database sets the others. */
export type NewPackageColumns = Omit<
  RowOf<"packages">,
  "place" | "partial_bytes" | "counts" | "changed_by" | "arrived" | "seen_at"
>;

/** The columns of a new record, without its manifest. */
export function newColumnsOf(record: PackageRecord): NewPackageColumns {
  return {
    package_id: record.packageId,
    device_id: record.deviceId,
    app_id: record.appId,
    app_name: record.appName,
    created_at: record.createdAt,
    announced_bytes: record.manifest.items.reduce((sum, item) => sum + item.bytes, 0),
    upload_ends_at: record.life.uploadEndsAt,
    version: record.version,
    room_held_until: record.room?.until ?? 0,
    room_tiers: tiersText(record.room),
    room_address: record.room?.address ?? null,
    ...columnsOf(record),
  };
}

/** The columns of a package that every change writes. */
export type PackageColumns = ReturnType<typeof columnsOf>;

/** Makes the columns that every change writes. */
export function columnsOf(record: PackageRecord) {
  const { life } = record;
  const missing = record.manifest.items.filter((item) => !record.uploaded.has(item.file));
  return {
    committed_at: life.committedAt,
    wait_ends_at: life.waitEndsAt,
    outcome: life.outcome,
    lease_run: life.lease?.runId ?? null,
    lease_ends_at: life.lease?.endsAt ?? null,
    files_end_at: filesEndAt(life),
    files_deleted: record.filesDeleted ? 1 : 0,
    missing_bytes: missing.reduce((sum, item) => sum + item.bytes, 0),
    uploaded: JSON.stringify([...record.uploaded]),
    results: record.results === null ? null : JSON.stringify(record.results),
    spare: record.isSpare ? 1 : 0,
    taken_at: record.takenAt,
    reported_at: record.reportedAt,
  } satisfies Partial<NewPackageColumns>;
}

/** The columns of a package in a list. */
export type HeadRow = RowOf<
  "packages",
  | "package_id"
  | "app_name"
  | "created_at"
  | "upload_ends_at"
  | "committed_at"
  | "wait_ends_at"
  | "outcome"
  | "lease_run"
  | "lease_ends_at"
  | "files_deleted"
  | "version"
>;

type OtherColumns =
  | "device_id"
  | "app_id"
  | "uploaded"
  | "results"
  | "spare"
  | "taken_at"
  | "reported_at"
  | "room_held_until"
  | "room_tiers";

/** The columns of a whole package. */
export type WholeRow = HeadRow & RowOf<"packages", OtherColumns> & RowOf<"manifests", "manifest">;

/** Converts a row to a package. This code wrote the row, so its JSON is trusted to have the right shape. */
export function packageOf(row: WholeRow, manifest: AnnouncedManifest): PackageRecord {
  return {
    ...headOf(row),
    deviceId: row.device_id,
    appId: row.app_id,
    manifest,
    uploaded: uploadedOf(row.uploaded),
    room: roomOf(row),
    results: row.results === null ? null : resultsOf(row.results),
    isSpare: row.spare === 1,
    takenAt: row.taken_at,
    reportedAt: row.reported_at,
  };
}

/** The columns of a package that `headOf` reads. A whole package has more. */
export const HEAD_COLUMNS = `packages.package_id, app_name, created_at, upload_ends_at, committed_at, wait_ends_at,
  outcome, lease_run, lease_ends_at, files_deleted, version`;

/** Converts the columns that a list has. */
export function headOf(row: HeadRow): Omit<PackageHead, "cursor" | "isSeen"> {
  const { lease_run: runId, lease_ends_at: endsAt } = row;
  return {
    packageId: row.package_id,
    appName: row.app_name,
    createdAt: row.created_at,
    life: {
      uploadEndsAt: row.upload_ends_at,
      committedAt: row.committed_at,
      waitEndsAt: row.wait_ends_at,
      outcome: outcomeOf(row.outcome),
      lease: runId === null ? null : { runId, endsAt: number(endsAt) },
    },
    filesDeleted: row.files_deleted === 1,
    version: row.version,
  };
}

/** The room in a row, even if it has lapsed. */
export function roomOf(row: {
  readonly room_tiers?: unknown;
  readonly room_held_until?: unknown;
}): HeldRoom | null {
  const tiers: string[] = JSON.parse(text(row.room_tiers));
  const [address, ...networks] = tiers;
  return address === undefined ? null : { address, networks, until: number(row.room_held_until) };
}

/** The column of the address and the networks that a package's room is for. */
export function tiersText(room: HeldRoom | null): string {
  return JSON.stringify(room === null ? [] : [room.address, ...room.networks]);
}

/** Returns the keys that a package's row holds: none after its files are deleted. */
export function keysIn(row: {
  readonly uploaded?: unknown;
  readonly files_deleted?: unknown;
}): ReadonlySet<string> {
  return new Set(row.files_deleted === 1 ? [] : uploadedOf(row.uploaded).values());
}

/** Parses a row's manifest. */
export function manifestOf(row: { readonly manifest?: unknown }): AnnouncedManifest {
  const manifest: AnnouncedManifest = JSON.parse(text(row.manifest));
  return manifest;
}

export function text(value: unknown): string {
  if (typeof value !== "string") throw new TypeError("The database holds no text here.");
  return value;
}

export function number(value: unknown): number {
  if (typeof value !== "number") throw new TypeError("The database holds no number here.");
  return value;
}

function outcomeOf(value: unknown): PackageRecord["life"]["outcome"] {
  return value === "imported" || value === "partial" || value === "failed" ? value : null;
}

/** Uploaded files: file name → key in the sound store. */
export function uploadedOf(value: unknown): ReadonlyMap<string, string> {
  const files: [string, string][] = JSON.parse(text(value));
  return new Map(files);
}

/** Arrived files: file name → time. */
export function arrivalsOf(value: unknown): Map<string, number> {
  const files: [string, number][] = JSON.parse(text(value));
  return new Map(files);
}

function resultsOf(value: string): SoundResults {
  // JSON.parse makes `__proto__` an ordinary member; without a prototype it stays one.
  const results: SoundResults = JSON.parse(value);
  const withoutPrototype: Record<string, SoundResult> = Object.create(null);
  return Object.assign(withoutPrototype, results);
}

/** The columns that decide whether a package takes a file. */
export type TakingRow = RowOf<
  "packages",
  "committed_at" | "outcome" | "files_deleted" | "uploaded"
>;

/** Checks whether a package is still uploaded, or waits without a file that was lost (rule Z2). */
export function takesFile(row: TakingRow, file: string): boolean {
  if (row.files_deleted === 1) return false;
  return row.committed_at === null || (row.outcome === null && !uploadedOf(row.uploaded).has(file));
}
