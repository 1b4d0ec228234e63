import type { DatabaseSync } from "node:sqlite";
import { number, type Row, text } from "../storage/rows.ts";
import type { DeviceExport } from "./export-device.ts";
import {
  type ListedBlock,
  type ListedDenial,
  type ListedOperation,
  type ListedSwitch,
  listSwitches,
} from "./list-decisions.ts";
import {
  LISTED_STATES,
  type ListedApp,
  type ListedDevice,
  type ListedPackage,
  type ListedState,
  type Page,
  type PageOf,
  STATE_OF_PACKAGE,
  timeOf,
} from "./list-records.ts";

/** The packages to list: of one device, in one state, with a sound of this SHA-256. */
export interface PackageFilter {
  readonly device?: string | undefined;
  readonly state?: string | undefined;
  readonly sha256?: string | undefined;
}

/** A relay's records as an operator sees them, beside running relays. SQLite and PostgreSQL answer alike. */
export interface RelayView extends AsyncDisposable {
  /** Place of the records, for sentences. */
  readonly place: string;
  /** Lists devices. @param onlyUnpaired only devices that no app was ever paired with */
  listDevices(
    page: PageOf,
    options?: { readonly onlyUnpaired?: boolean },
  ): Promise<Page<ListedDevice>>;
  listApps(
    page: PageOf,
    options?: { readonly device?: string | undefined },
  ): Promise<Page<ListedApp>>;
  listPackages(page: PageOf, filter?: PackageFilter): Promise<Page<ListedPackage>>;
  listBlocks(page: PageOf): Promise<Page<ListedBlock>>;
  listDenials(page: PageOf): Promise<Page<ListedDenial>>;
  listSwitches(): Promise<readonly ListedSwitch[]>;
  listOperations(page: PageOf): Promise<Page<ListedOperation>>;
  readStats(): Promise<Stats>;
  /** Exports everything that is stored about a device. @returns undefined if there is no such device */
  exportDevice(deviceId: string, now: number): Promise<DeviceExport | undefined>;
}

/** A relay at a glance. */
export interface Stats {
  readonly devices: number;
  /** Number of devices that no app was ever paired with. */
  readonly devices_never_paired: number;
  readonly apps: number;
  readonly packages: Readonly<Record<ListedState, number>>;
  readonly oldest_waiting_since: string | null;
  /** Announced bytes of the packages with files. */
  readonly bytes_announced: number;
  /** Number of these bytes that have not arrived. */
  readonly bytes_missing: number;
  /** Free bytes of the sounds' disk; null if they are unknown, as for a bucket. */
  readonly disk_free_bytes: number | null;
  readonly blocked_addresses: number;
  readonly blocked_devices: number;
  readonly denied_sounds: number;
  readonly switches: readonly ListedSwitch[];
}

/** Reads the stats. @param freeBytes the room that the sounds have */
export function readStats(database: DatabaseSync, freeBytes: number | "unknown"): Stats {
  const count = (sql: string) => number(database.prepare(`SELECT ${sql} AS n`).get()?.["n"]);
  const rowsOf = (table: string) => count(`(SELECT count(*) FROM ${table})`);
  const sumOf = (column: string) =>
    count(`(SELECT coalesce(sum(${column}), 0) FROM packages WHERE files_deleted = 0)`);
  const states = database
    .prepare(`SELECT ${STATE_OF_PACKAGE} AS state, count(*) AS n FROM packages GROUP BY 1`)
    .all();
  const oldest = database
    .prepare(`SELECT min(committed_at) AS at FROM packages WHERE ${STATE_OF_PACKAGE} = 'waiting'`)
    .get()?.["at"];
  return statsOf({
    counts: {
      devices: rowsOf("devices"),
      devices_never_paired: rowsOf("devices WHERE has_paired = 0"),
      apps: rowsOf("pairings"),
      blocked_addresses: rowsOf("blocks WHERE kind = 'address'"),
      blocked_devices: rowsOf("blocks WHERE kind = 'device'"),
      denied_sounds: rowsOf("denied_sounds"),
    },
    states: new Map(states.map((row) => [text(row["state"]), number(row["n"])])),
    oldest,
    announced: sumOf("announced_bytes"),
    missing: sumOf("missing_bytes"),
    freeBytes,
    switches: listSwitches(database),
  });
}

/** Makes stats from the counts of either database. */
export function statsOf(counted: {
  readonly counts: Row;
  readonly states: ReadonlyMap<string, number>;
  /** Time of the commit of the package that has waited the longest, if one waits. */
  readonly oldest: unknown;
  readonly announced: number;
  readonly missing: number;
  readonly freeBytes: number | "unknown";
  readonly switches: readonly ListedSwitch[];
}): Stats {
  const { counts, states, oldest, announced, missing, freeBytes, switches } = counted;
  const packages = Object.fromEntries(LISTED_STATES.map((name) => [name, states.get(name) ?? 0]));
  return {
    devices: number(counts["devices"]),
    devices_never_paired: number(counts["devices_never_paired"]),
    apps: number(counts["apps"]),
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- fromEntries forgets the names; they are the list's
    packages: packages as Record<ListedState, number>,
    oldest_waiting_since: typeof oldest === "number" ? timeOf(oldest) : null,
    bytes_announced: announced,
    bytes_missing: missing,
    disk_free_bytes: freeBytes === "unknown" ? null : freeBytes,
    blocked_addresses: number(counts["blocked_addresses"]),
    blocked_devices: number(counts["blocked_devices"]),
    denied_sounds: number(counts["denied_sounds"]),
    switches,
  };
}
