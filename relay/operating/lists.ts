import { SWITCHES } from "../domain/ports.ts";
import { manifestOf, type Row } from "../storage/records/rows.ts";
import {
  ask,
  type Bound,
  statement,
  type Values,
  type Work,
} from "../storage/records/statement.ts";
import type { Listed, ListedSwitch, ListFilter, ListName, Page, PageOf } from "./listed.ts";

/** SQL expression of the state. `over`: files are deleted, or due for deletion, and nobody imported them. */
export const STATE_OF_PACKAGE = `CASE
  WHEN outcome IS NOT NULL THEN outcome
  WHEN files_deleted = 1 THEN 'over'
  WHEN committed_at IS NULL THEN 'uploading'
  ELSE 'waiting' END`;

interface List {
  /** Their first column is the id. */
  readonly rows: (values: Values) => Bound<Row>;
  /** Makes the item of a row. Without it, its columns are the item's, but for the times. */
  readonly itemOf?: (row: Row) => Row;
}

const LISTS: Readonly<Record<ListName, List>> = {
  devices: {
    rows: statement(
      "view_devices",
      `SELECT device_id, device_name, registered_at, last_seen_at,
         (SELECT count(*) FROM pairings WHERE pairings.device_id = devices.device_id) AS apps,
         (SELECT count(*) FROM packages WHERE packages.device_id = devices.device_id) AS packages,
         (SELECT CAST(coalesce(sum(announced_bytes), 0) AS bigint) FROM packages
            WHERE packages.device_id = devices.device_id AND files_deleted = 0) AS bytes,
         (SELECT count(*) FROM blocks WHERE subject = devices.device_id) AS blocks
       FROM devices WHERE device_id > :after AND has_paired <= CAST(:most_paired AS bigint)
       ORDER BY device_id LIMIT 0 + :limit`,
    ),
    itemOf: ({ blocks, ...row }) => ({ ...row, blocked: blocks !== 0 }),
  },
  apps: {
    rows: statement(
      "view_apps",
      `SELECT pairing_id, device_id, app_id, app_name, paired_at, last_seen_at FROM pairings
       WHERE pairing_id > :after AND (CAST(:device AS text) IS NULL OR device_id = :device)
       ORDER BY pairing_id LIMIT 0 + :limit`,
    ),
  },
  packages: {
    rows: statement(
      "view_packages",
      (sql) =>
        `SELECT package_id, device_id, app_id, app_name, ${STATE_OF_PACKAGE} AS state,
           announced_bytes AS bytes, created_at, committed_at, manifest
         FROM packages JOIN manifests USING (package_id)
         WHERE package_id > :after AND (CAST(:device AS text) IS NULL OR device_id = :device)
           AND (CAST(:state AS text) IS NULL OR ${STATE_OF_PACKAGE} = :state)
           AND (CAST(:sha256 AS text) IS NULL OR ${sql.contains("manifest", ":sha256")})
         ORDER BY package_id LIMIT 0 + :limit`,
    ),
    itemOf: ({ manifest, ...row }) => {
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
  const { rows, itemOf = (row) => row } = LISTS[name];
  const before = after === "" ? Number.MAX_SAFE_INTEGER : Number(after);
  const { device = null, state = null, sha256 = null, onlyUnpaired = false } = filter;
  const selected = { device, state, sha256, most_paired: onlyUnpaired ? 0 : 1 };
  const found = yield* ask(rows({ after, before, limit: limit + 1, ...selected }));
  const shown = found.slice(0, limit);
  const last = shown.at(-1);
  const next = found.length > limit && last !== undefined ? String(Object.values(last)[0]) : null;
  const items = shown.map((row) => withTimes(itemOf(row)));
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the statement names the columns of its rows
  return { items: items as unknown as Listed[Name][], next };
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
