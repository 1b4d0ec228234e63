import { foldCase } from "../../core/text/fold-case.ts";
import { SWITCHES } from "../domain/ports.ts";
import { manifestOf, type Row } from "../storage/records/rows.ts";
import {
  ask,
  type Bound,
  statement,
  type Values,
  type Work,
} from "../storage/records/statement.ts";
import {
  type Listed,
  type ListedSwitch,
  type ListFilter,
  type ListName,
  type Page,
  type PageOf,
  PLACE_IN_TIME,
} from "./listed.ts";

/** SQL expression of the state. `over`: files are deleted, or due for deletion, and nobody imported them. */
export const STATE_OF_PACKAGE = `CASE
  WHEN outcome IS NOT NULL THEN outcome
  WHEN files_deleted = 1 THEN 'over'
  WHEN committed_at IS NULL THEN 'uploading'
  ELSE 'waiting' END`;

interface List {
  readonly rows: (values: Values) => Bound<Row>;
  /** Makes the item of a row. Without it, its columns are the item's, but for the times. */
  readonly itemOf?: (row: Row) => Row;
  /** Place of a row, after which the next page begins. Without it, the first column is the place. */
  readonly placeOf?: (row: Row) => string;
}

/** Condition of a filter that may be missing. */
const ifGiven = (parameter: string, condition: string) =>
  `(CAST(:${parameter} AS text) IS NULL OR ${condition})`;
/** Condition: the id begins with `:id`. */
const idBegins = (column: string) => ifGiven("id", `substr(${column}, 1, length(:id)) = :id`);
/** The place of a row in a list by time, where rows may have the same time. */
const placeInTime = (time: string, id: string) => (row: Row) =>
  `${String(row[time])}.${String(row[id])}`;

/** Defines the list of packages, newest first. Only what is shown is joined with its manifest. @param which packages an index finds */
const packagesOf = (name: string, which: string) =>
  statement<Row>(
    name,
    (sql) =>
      `SELECT place, package_id, device_id, device_name, app_id, app_name,
         ${STATE_OF_PACKAGE} AS state, announced_bytes AS bytes, created_at, committed_at, manifest
       FROM packages JOIN manifests USING (package_id) JOIN devices USING (device_id)
       WHERE place IN (
         SELECT place FROM packages JOIN manifests USING (package_id)
         WHERE place < CAST(:before AS bigint) AND ${which}
           AND ${ifGiven("state", `${STATE_OF_PACKAGE} = :state`)}
           AND ${ifGiven("title", sql.contains("folded_title", ":title"))}
           AND ${ifGiven("sha256", sql.contains("manifest", ":sha256"))}
         ORDER BY place DESC LIMIT 0 + :limit)
       ORDER BY place DESC`,
  );
const ALL_PACKAGES = packagesOf("view_packages", "true");
const PACKAGES_BY_ID = packagesOf(
  "view_packages_by_id",
  "package_id >= :id AND package_id < :id || '~'",
);
const PACKAGES_OF_DEVICE = packagesOf("view_packages_of_device", "device_id = :device");
const PACKAGES_OF_APP = packagesOf(
  "view_packages_of_app",
  `(device_id, app_id) IN
     (SELECT pairings.device_id, pairings.app_id FROM pairings WHERE pairing_id = :app)`,
);

function packageRows(values: Values): Bound<Row> {
  if (values["id"] !== null) return PACKAGES_BY_ID(values);
  if (values["app"] !== null) return PACKAGES_OF_APP(values);
  return values["device"] === null ? ALL_PACKAGES(values) : PACKAGES_OF_DEVICE(values);
}

const LISTS: Readonly<Record<ListName, List>> = {
  devices: {
    rows: statement(
      "view_devices",
      (sql) =>
        `SELECT device_id, device_name, registered_at, last_seen_at, bytes_quota, waiting_quota,
           registration_key,
           (SELECT count(*) FROM pairings WHERE pairings.device_id = devices.device_id) AS apps,
           (SELECT count(*) FROM packages WHERE packages.device_id = devices.device_id) AS packages,
           (SELECT CAST(coalesce(sum(announced_bytes), 0) AS bigint) FROM packages
              WHERE packages.device_id = devices.device_id AND files_deleted = 0) AS bytes,
           (SELECT count(*) FROM blocks WHERE subject = devices.device_id) AS blocks
         FROM devices WHERE device_id IN (
           SELECT device_id FROM devices
           WHERE (registered_at, device_id) < (CAST(:before AS bigint), :before_id)
             AND has_paired <= CAST(:most_paired AS bigint) AND ${idBegins("device_id")}
             AND ${ifGiven("name", sql.contains("lower(device_name)", ":name"))}
           ORDER BY registered_at DESC, device_id DESC LIMIT 0 + :limit)
         ORDER BY registered_at DESC, device_id DESC`,
    ),
    itemOf: ({ blocks, ...row }) => ({ ...row, blocked: blocks !== 0 }),
    placeOf: placeInTime("registered_at", "device_id"),
  },
  apps: {
    rows: statement(
      "view_apps",
      (sql) =>
        `SELECT pairing_id, device_id, device_name, app_id, app_name, paired_at,
           pairings.last_seen_at
         FROM pairings JOIN devices USING (device_id)
         WHERE (paired_at, pairing_id) < (CAST(:before AS bigint), :before_id)
           AND ${ifGiven("device", "device_id = :device")} AND ${idBegins("pairing_id")}
           AND ${ifGiven("name", sql.contains("lower(app_name)", ":name"))}
         ORDER BY paired_at DESC, pairing_id DESC LIMIT 0 + :limit`,
    ),
    placeOf: placeInTime("paired_at", "pairing_id"),
  },
  packages: {
    rows: packageRows,
    itemOf: ({ place: _place, manifest, ...row }) => {
      const { title, items } = manifestOf({ manifest });
      return { ...row, title, sounds: items.length };
    },
  },
  blocks: {
    rows: statement(
      "view_blocks",
      `SELECT subject, kind, blocked_at FROM blocks
       WHERE subject > :after ORDER BY subject LIMIT 0 + :limit`,
    ),
  },
  keys: {
    rows: statement(
      "view_keys",
      `SELECT name, added_at, ends_at, max_uses, uses FROM registration_keys
       WHERE removed_at IS NULL AND name > :after
       UNION ALL SELECT 'setting', NULL, NULL, NULL, count(*) FROM devices
         WHERE registration_key = 'setting' AND 'setting' > :after HAVING count(*) > 0
       ORDER BY name LIMIT 0 + :limit`,
    ),
  },
  denied: {
    rows: statement(
      "view_denials",
      `SELECT sha256, denied_at FROM denied_sounds
       WHERE sha256 > :after ORDER BY sha256 LIMIT 0 + :limit`,
    ),
  },
  log: {
    rows: statement(
      "view_operations",
      `SELECT seq, at, who, action, subject, detail FROM operator_log
       WHERE seq < :before ORDER BY seq DESC LIMIT 0 + :limit`,
    ),
  },
};

/** Reads a page of a list. */
export function* readList<Name extends ListName>(
  name: Name,
  { after = "", limit }: PageOf,
  filter: ListFilter = {},
): Work<Page<Listed[Name]>> {
  const { rows, itemOf = (row) => row, placeOf = firstColumn } = LISTS[name];
  const [, before = Number.MAX_SAFE_INTEGER, beforeId = "~"] = PLACE_IN_TIME.exec(after) ?? [];
  const place = { after, before: Number(before), before_id: beforeId, limit: limit + 1 };
  const found = yield* ask(rows({ ...place, ...valuesOf(filter) }));
  const shown = found.slice(0, limit);
  const last = shown.at(-1);
  const next = found.length > limit && last !== undefined ? placeOf(last) : null;
  const items = shown.map((row) => withTimes(itemOf(row)));
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the statement names the columns of its rows
  return { items: items as unknown as Listed[Name][], next };
}

function firstColumn(row: Row): string {
  return String(Object.values(row)[0]);
}

function valuesOf({ onlyUnpaired = false, ...filter }: ListFilter): Values {
  const { device = null, app = null, state = null, sha256 = null, id = null } = filter;
  return {
    device,
    app,
    state,
    sha256,
    id,
    most_paired: onlyUnpaired ? 0 : 1,
    // SQL lowers the names, and both databases only A to Z.
    name: filter.name?.replaceAll(/[A-Z]/g, (letter) => letter.toLowerCase()) ?? null,
    title: filter.title === undefined ? null : foldCase(filter.title),
  };
}

/** Formats the times of a row as UTC: its columns `at` and `…_at` in milliseconds since 1970. */
export function withTimes(row: Row): Row {
  const entries = Object.entries(row).map(([name, value]) => {
    const isTime = /(^|_)at$/.test(name) && typeof value === "number";
    return [name, isTime ? timeOf(value) : value];
  });
  return Object.fromEntries(entries);
}

/** Formats milliseconds since 1970 as UTC. */
export function timeOf(time: number): string {
  return new Date(time).toISOString();
}

const SWITCHED_OFF = statement<{
  readonly name: string;
  readonly sentence: string | null;
  readonly switched_at: number;
}>("view_switches", "SELECT name, sentence, switched_at FROM switches");

/** Lists every switch. */
export function* listSwitches(): Work<readonly ListedSwitch[]> {
  const rows = yield* ask(SWITCHED_OFF());
  return SWITCHES.map((name) => {
    const off = rows.find((row) => row.name === name);
    if (off === undefined) return { name, on: true, sentence: null, switched_at: null };
    return { name, on: false, sentence: off.sentence, switched_at: timeOf(off.switched_at) };
  });
}
