import type { DatabaseSync } from "node:sqlite";
import { number, text } from "../storage/sqlite/rows.ts";
import { LISTED_STATES, type ListedState, STATE_OF_PACKAGE, timeOf } from "./list-records.ts";
import { type ListedSwitch, listSwitches } from "./list-decisions.ts";

/** A relay at a glance. */
export interface Stats {
  readonly devices: number;
  /** No app was ever paired with them. */
  readonly devices_never_paired: number;
  readonly apps: number;
  readonly packages: Readonly<Record<ListedState, number>>;
  readonly oldest_waiting_since: string | null;
  /** What packages with files were announced with. */
  readonly bytes_announced: number;
  /** Of these, what has not arrived. */
  readonly bytes_missing: number;
  /** Where the sounds are; null where nobody can tell, as in a bucket. */
  readonly disk_free_bytes: number | null;
  readonly blocked_addresses: number;
  readonly blocked_devices: number;
  readonly denied_sounds: number;
  readonly switches: readonly ListedSwitch[];
}

/** @param freeBytes how much room the sounds have */
export function readStats(database: DatabaseSync, freeBytes: number | "unknown"): Stats {
  const count = (sql: string) => number(database.prepare(`SELECT ${sql} AS n`).get()?.["n"]);
  const rowsOf = (table: string) => count(`(SELECT count(*) FROM ${table})`);
  const states = database
    .prepare(`SELECT ${STATE_OF_PACKAGE} AS state, count(*) AS n FROM packages GROUP BY 1`)
    .all();
  const byState = new Map(states.map((row) => [text(row["state"]), number(row["n"])]));
  const packages = Object.fromEntries(LISTED_STATES.map((name) => [name, byState.get(name) ?? 0]));
  const oldest = database
    .prepare(`SELECT min(committed_at) AS at FROM packages WHERE ${STATE_OF_PACKAGE} = 'waiting'`)
    .get()?.["at"];
  return {
    devices: rowsOf("devices"),
    devices_never_paired: rowsOf("devices WHERE has_paired = 0"),
    apps: rowsOf("pairings"),
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- fromEntries forgets the names; they are the list's
    packages: packages as Record<ListedState, number>,
    oldest_waiting_since: typeof oldest === "number" ? timeOf(oldest) : null,
    bytes_announced: count(
      "(SELECT coalesce(sum(announced_bytes), 0) FROM packages WHERE files_deleted = 0)",
    ),
    bytes_missing: count(
      "(SELECT coalesce(sum(missing_bytes), 0) FROM packages WHERE files_deleted = 0)",
    ),
    disk_free_bytes: freeBytes === "unknown" ? null : freeBytes,
    blocked_addresses: rowsOf("blocks WHERE kind = 'address'"),
    blocked_devices: rowsOf("blocks WHERE kind = 'device'"),
    denied_sounds: rowsOf("denied_sounds"),
    switches: listSwitches(database),
  };
}
