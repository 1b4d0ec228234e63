import type { AnnouncedManifest } from "../../../core/manifest/manifest.ts";
import { filesEndAt } from "../../../core/protocol/package-state.ts";
import type { SoundResult, SoundResults } from "../../../core/protocol/package-status.ts";
import type {
  AppTokenRecord,
  DeviceRecord,
  HeldRoom,
  IdempotentAnswer,
  PackageHead,
  PackageRecord,
  PairingRecord,
  PairingRequest,
} from "../../domain/ports.ts";

/** A table row as `node:sqlite` returns it. */
export type Row = Readonly<Record<string, unknown>>;

/** The columns of a package that change, by their names in the table. */
export interface PackageColumns {
  readonly committed_at: number | null;
  readonly wait_ends_at: number | null;
  readonly outcome: string | null;
  readonly lease_run: string | null;
  readonly lease_ends_at: number | null;
  readonly files_end_at: number;
  readonly files_deleted: number;
  readonly missing_bytes: number;
  readonly uploaded: string;
  readonly results: string | null;
}

/** The columns of a new package; its manifest is in `manifests`. */
export interface NewPackageColumns extends PackageColumns {
  readonly package_id: string;
  readonly device_id: string;
  readonly app_id: string;
  readonly app_name: string;
  readonly created_at: number;
  readonly announced_bytes: number;
  readonly upload_ends_at: number;
  readonly version: number;
  /** End of the held room; 0 without room. */
  readonly room_held_until: number;
  readonly room_tiers: string;
  readonly room_address: string | null;
}

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

/** The columns written by every change. */
export function columnsOf(record: PackageRecord): PackageColumns {
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
  };
}

/** Converts a row to a package. This code wrote the row, so its JSON is trusted to have the right shape. */
export function packageOf(row: Row, manifest: AnnouncedManifest): PackageRecord {
  return {
    ...knownOf(row),
    deviceId: text(row["device_id"]),
    appId: text(row["app_id"]),
    manifest,
    uploaded: uploadedOf(row["uploaded"]),
    room: roomOf(row),
    results: row["results"] === null ? null : resultsOf(row["results"]),
  };
}

/** The columns of a package that `headOf` reads. A whole package has more. */
export const HEAD_COLUMNS = `packages.package_id, app_name, created_at, upload_ends_at, committed_at, wait_ends_at,
  outcome, lease_run, lease_ends_at, files_deleted, version`;

/** Converts a row of a list, with the cursor at which the list continues after it. */
export function headOf(row: Row, cursor: string): PackageHead {
  return { ...knownOf(row), cursor };
}

function knownOf(row: Row): Omit<PackageHead, "cursor"> {
  const runId = textOrNull(row["lease_run"]);
  return {
    packageId: text(row["package_id"]),
    appName: text(row["app_name"]),
    createdAt: number(row["created_at"]),
    life: {
      uploadEndsAt: number(row["upload_ends_at"]),
      committedAt: numberOrNull(row["committed_at"]),
      waitEndsAt: numberOrNull(row["wait_ends_at"]),
      outcome: outcomeOf(row["outcome"]),
      lease: runId === null ? null : { runId, endsAt: number(row["lease_ends_at"]) },
    },
    filesDeleted: row["files_deleted"] === 1,
    version: number(row["version"]),
  };
}

/** The room in a row, even if it has lapsed. */
export function roomOf(row: Row): HeldRoom | null {
  const tiers: string[] = JSON.parse(text(row["room_tiers"]));
  const [address, ...networks] = tiers;
  const until = number(row["room_held_until"]);
  return address === undefined ? null : { address, networks, until };
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

/** Checks whether a package no longer needs room for missing bytes. */
export function endsRoom({ committed_at, files_deleted, missing_bytes }: PackageColumns): boolean {
  return committed_at !== null || files_deleted === 1 || missing_bytes === 0;
}

/** Number of characters of JSON in a row with its manifest. */
export function sizeInCharacters(row: Row): number {
  const results = textOrNull(row["results"]) ?? "";
  return text(row["manifest"]).length + text(row["uploaded"]).length + results.length;
}

/** Parses a row's manifest. */
export function manifestOf(row: Row): AnnouncedManifest {
  const manifest: AnnouncedManifest = JSON.parse(text(row["manifest"]));
  return manifest;
}

/** The stored answer in a row of `idempotency_keys`. */
export function answerOf(row: Row): IdempotentAnswer {
  return {
    key: text(row["key"]),
    bodyHash: text(row["body_hash"]),
    answer: text(row["answer"]),
    endsAt: number(row["ends_at"]),
  };
}

export function deviceOf(row: Row): DeviceRecord {
  return {
    deviceId: text(row["device_id"]),
    deviceName: text(row["device_name"]),
    registeredAt: number(row["registered_at"]),
    lastSeenAt: number(row["last_seen_at"]),
    ...importsOf(row),
  };
}

/** Returns a device's imports; nothing before the first one, or if the row doesn't have the columns. */
function importsOf({ import_days: days, first_import_day: first, last_import_day: last }: Row) {
  if (typeof days !== "number" || days === 0) return {};
  return { imports: { days, firstDay: number(first), lastDay: number(last) } };
}

export function pairingOf(row: Row): PairingRecord {
  return {
    pairingId: text(row["pairing_id"]),
    deviceId: text(row["device_id"]),
    appId: text(row["app_id"]),
    appName: text(row["app_name"]),
    pairedAt: number(row["paired_at"]),
    lastSeenAt: number(row["last_seen_at"]),
  };
}

export function appTokenOf(row: Row): AppTokenRecord {
  return { ...pairingOf(row), deviceName: text(row["device_name"]), ...importsOf(row) };
}

export function pairingRequestOf(row: Row): PairingRequest {
  return {
    requestId: text(row["request_id"]),
    deviceId: text(row["device_id"]),
    appId: text(row["app_id"]),
    appName: text(row["app_name"]),
    address: text(row["address"]),
    network: text(row["network"]),
    expiresAt: number(row["expires_at"]),
    state: requestStateOf(row["state"]),
    allowedAt: numberOrNull(row["allowed_at"]),
  };
}

export function text(value: unknown): string {
  if (typeof value !== "string") throw new TypeError("The database holds no text here.");
  return value;
}

export function number(value: unknown): number {
  if (typeof value !== "number") throw new TypeError("The database holds no number here.");
  return value;
}

function textOrNull(value: unknown): string | null {
  return value === null ? null : text(value);
}

export function numberOrNull(value: unknown): number | null {
  return value === null ? null : number(value);
}

function outcomeOf(value: unknown): PackageRecord["life"]["outcome"] {
  return value === "imported" || value === "partial" || value === "failed" ? value : null;
}

function requestStateOf(value: unknown): PairingRequest["state"] {
  return value === "allowed" || value === "disputed" ? value : "asked";
}

/** Uploaded files: file name → key in the sound store. */
export function uploadedOf(value: unknown): ReadonlyMap<string, string> {
  const files: [string, string][] = JSON.parse(text(value));
  return new Map(files);
}

function resultsOf(value: unknown): SoundResults {
  // JSON.parse makes `__proto__` an ordinary member; without a prototype it stays one.
  const results: SoundResults = JSON.parse(text(value));
  const withoutPrototype: Record<string, SoundResult> = Object.create(null);
  return Object.assign(withoutPrototype, results);
}
