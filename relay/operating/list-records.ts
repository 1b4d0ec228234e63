import type { DatabaseSync } from "node:sqlite";
import { number, type Row, text } from "../storage/rows.ts";

/** One page of a list, in the order of its ids. */
export interface Page<Item> {
  readonly items: readonly Item[];
  /** Id after which the list continues; null at the end. */
  readonly next: string | null;
}

/** The position and size of a page. */
export interface PageOf {
  /** Id, or number of the log, after which the page begins; at the start without it. */
  readonly after?: string | undefined;
  readonly limit: number;
}

export interface ListedDevice {
  readonly device_id: string;
  readonly device_name: string;
  readonly registered_at: string;
  readonly last_seen_at: string;
  readonly apps: number;
  readonly packages: number;
  /** Announced bytes of its packages with files. */
  readonly bytes: number;
  readonly blocked: boolean;
}

/** Lists devices. @param onlyUnpaired only devices that no app was ever paired with */
export function listDevices(
  database: DatabaseSync,
  page: PageOf,
  { onlyUnpaired = false }: { readonly onlyUnpaired?: boolean } = {},
): Page<ListedDevice> {
  const rows = database
    .prepare(
      `SELECT device_id, device_name, registered_at, last_seen_at,
         (SELECT count(*) FROM pairings WHERE pairings.device_id = devices.device_id) AS apps,
         (SELECT count(*) FROM packages WHERE packages.device_id = devices.device_id) AS packages,
         (SELECT coalesce(sum(announced_bytes), 0) FROM packages
            WHERE packages.device_id = devices.device_id AND files_deleted = 0) AS bytes,
         EXISTS (SELECT 1 FROM blocks WHERE subject = devices.device_id) AS blocked
       FROM devices WHERE device_id > ?1 AND (?2 = 0 OR has_paired = 0) ORDER BY device_id LIMIT ?3`,
    )
    .all(page.after ?? "", onlyUnpaired ? 1 : 0, page.limit + 1);
  return pageOf(rows, page, deviceOf);
}

/** Converts a row of either database to a listed device. */
export function deviceOf(row: Row): ListedDevice {
  return {
    device_id: text(row["device_id"]),
    device_name: text(row["device_name"]),
    registered_at: timeOf(row["registered_at"]),
    last_seen_at: timeOf(row["last_seen_at"]),
    apps: number(row["apps"]),
    packages: number(row["packages"]),
    bytes: number(row["bytes"]),
    blocked: row["blocked"] === 1,
  };
}

export interface ListedApp {
  readonly pairing_id: string;
  readonly device_id: string;
  readonly app_id: string;
  readonly app_name: string;
  readonly paired_at: string;
  readonly last_seen_at: string;
}

/** Lists paired apps, of all devices or of one. */
export function listApps(
  database: DatabaseSync,
  page: PageOf,
  { device }: { readonly device?: string | undefined } = {},
): Page<ListedApp> {
  const rows = database
    .prepare(
      `SELECT * FROM pairings WHERE pairing_id > ?1 AND (?2 IS NULL OR device_id = ?2)
       ORDER BY pairing_id LIMIT ?3`,
    )
    .all(page.after ?? "", device ?? null, page.limit + 1);
  return pageOf(rows, page, appOf);
}

/** Converts a row of either database to a listed app. */
export function appOf(row: Row): ListedApp {
  return {
    pairing_id: text(row["pairing_id"]),
    device_id: text(row["device_id"]),
    app_id: text(row["app_id"]),
    app_name: text(row["app_name"]),
    paired_at: timeOf(row["paired_at"]),
    last_seen_at: timeOf(row["last_seen_at"]),
  };
}

/** The states of packages that the stored columns tell. The relay itself judges `taken` and expiry. */
export const LISTED_STATES = [
  "uploading",
  "waiting",
  "imported",
  "partial",
  "failed",
  "over",
] as const;
export type ListedState = (typeof LISTED_STATES)[number];

/** SQL expression of the state. `over`: files are deleted, or due for deletion, and nobody imported them. */
export const STATE_OF_PACKAGE = `CASE
  WHEN outcome IS NOT NULL THEN outcome
  WHEN files_deleted = 1 THEN 'over'
  WHEN committed_at IS NULL THEN 'uploading'
  ELSE 'waiting' END`;

export interface ListedPackage {
  readonly package_id: string;
  readonly device_id: string;
  readonly app_id: string;
  readonly app_name: string;
  readonly title: string;
  readonly state: string;
  readonly sounds: number;
  readonly bytes: number;
  readonly created_at: string;
  readonly committed_at: string | null;
}

/** Lists packages, of all devices or of one, in any state or in one, with or without a sound of this SHA-256. */
export function listPackages(
  database: DatabaseSync,
  page: PageOf,
  filter: {
    readonly device?: string | undefined;
    readonly state?: string | undefined;
    readonly sha256?: string | undefined;
  } = {},
): Page<ListedPackage> {
  const rows = database
    .prepare(
      `SELECT package_id, device_id, app_id, app_name, announced_bytes, created_at, committed_at,
         manifest ->> 'title' AS title, json_array_length(manifest, '$.items') AS sounds,
         ${STATE_OF_PACKAGE} AS state
       FROM packages JOIN manifests USING (package_id)
       WHERE package_id > ?1 AND (?2 IS NULL OR device_id = ?2) AND (?3 IS NULL OR ${STATE_OF_PACKAGE} = ?3)
         AND (?4 IS NULL OR instr(manifest, ?4) > 0)
       ORDER BY package_id LIMIT ?5`,
    )
    .all(
      page.after ?? "",
      filter.device ?? null,
      filter.state ?? null,
      filter.sha256 ?? null,
      page.limit + 1,
    );
  return pageOf(rows, page, packageOf);
}

/** Converts a row of either database to a listed package. */
export function packageOf(row: Row): ListedPackage {
  return {
    package_id: text(row["package_id"]),
    device_id: text(row["device_id"]),
    app_id: text(row["app_id"]),
    app_name: text(row["app_name"]),
    title: text(row["title"]),
    state: text(row["state"]),
    sounds: number(row["sounds"]),
    bytes: number(row["announced_bytes"]),
    created_at: timeOf(row["created_at"]),
    committed_at: row["committed_at"] === null ? null : timeOf(row["committed_at"]),
  };
}

/** Formats milliseconds since 1970 as UTC. */
export function timeOf(value: unknown): string {
  return new Date(number(value)).toISOString();
}

/** Makes a page. @param rows one more than fits, if there are so many; the first column determines the next page */
export function pageOf<Item extends object>(
  rows: readonly Row[],
  { limit }: PageOf,
  read: (row: Row) => Item,
): Page<Item> {
  const items = rows.slice(0, limit).map(read);
  const last = items.at(-1);
  const next = rows.length > limit && last !== undefined ? String(Object.values(last)[0]) : null;
  return { items, next };
}
