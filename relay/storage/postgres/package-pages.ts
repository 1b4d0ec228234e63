import type { PackageHead, PackageRecords } from "../../domain/ports.ts";
import {
  importableCursorOf,
  type ImportablePlace,
  ownCursorOf,
  parseImportableCursor,
  parseOwnCursor,
  TOP,
} from "../both-databases.ts";
import { headOf, type Row } from "../rows.ts";
import type { Connections } from "./connections.ts";
import { statement, type Statement } from "./statement.ts";

/** The columns that a list reads of a package; `place` orders packages of the same time. */
const HEAD_COLUMNS = `packages.place, packages.package_id, app_name, created_at, upload_ends_at,
  committed_at, wait_ends_at, outcome, lease_run, lease_ends_at, files_deleted, version`;

const LIST = statement(
  "list_own",
  `SELECT ${HEAD_COLUMNS} FROM packages
   WHERE device_id = $1 AND app_id = $2 AND (created_at, place) < ($3, $4)
   ORDER BY created_at DESC, place DESC LIMIT $5`,
);
/** Lists the pages of an app's own packages (rule S7). An index keeps the cost of each at its own size. */
export function ownPages(connections: Connections): PackageRecords["listOwn"] {
  return async ({ deviceId, appId }, { after, limit }) => {
    const from = after === undefined ? TOP : parseOwnCursor(after);
    if (from === undefined) return undefined;
    const rows = await connections.read<Row>(LIST, [deviceId, appId, from.at, from.place, limit]);
    return rows.map((row) => headOf(row, ownCursorOf(row)));
  };
}

// $1 device, $2 now, $3 and $4 where the page begins, $5 how many, $6 the last first report before the list began.
const LISTED = `packages.device_id = $1 AND committed_at IS NOT NULL AND files_deleted = 0
  AND files_end_at > $2 AND (committed_at, packages.place) < ($3, $4)`;
const ORDER = "ORDER BY committed_at DESC, packages.place DESC LIMIT $5";

// A package that was reported since the list began is listed at its place among the waiting ones. One statement reads
// both, so that nothing comes between.
const WAITING = statement(
  "list_waiting",
  `(SELECT ${HEAD_COLUMNS} FROM packages WHERE outcome IS NULL AND ${LISTED} ${ORDER})
   UNION ALL
   (SELECT ${HEAD_COLUMNS} FROM first_reports JOIN packages USING (package_id)
    WHERE first_reports.device_id = $1 AND seq > $6 AND outcome IS NOT NULL AND ${LISTED} ${ORDER})
   ORDER BY committed_at DESC, place DESC LIMIT $5`,
);
const REPORTED = statement(
  "list_reported",
  `SELECT ${HEAD_COLUMNS} FROM packages WHERE outcome IS NOT NULL AND ${LISTED}
     AND NOT EXISTS (SELECT 1 FROM first_reports
       WHERE first_reports.package_id = packages.package_id AND seq > $6)
   ${ORDER}`,
);
const LAST_REPORT = statement(
  "last_report",
  "SELECT coalesce(max(seq), 0)::bigint AS seq FROM first_reports WHERE device_id = $1",
);

/** Lists the pages of the importer's list (rule I5). An index keeps the cost of each at its own size. */
export function importablePages(connections: Connections): PackageRecords["listImportable"] {
  return async (deviceId, now, { after, limit }) => {
    const from =
      after === undefined ? await start(connections, deviceId) : parseImportableCursor(after);
    if (from === undefined) return undefined;
    const listed = async (query: Statement, place: ImportablePlace, most: number) => {
      const values = [deviceId, now, place.at, place.place, most, place.began];
      const rows = await connections.read<Row>(query, values);
      return rows.map((row): PackageHead => headOf(row, importableCursorOf(row, place)));
    };
    const first = from.isWaiting ? await listed(WAITING, from, limit) : [];
    if (first.length === limit) return first;
    const rest = from.isWaiting ? { ...TOP, began: from.began, isWaiting: false } : from;
    return [...first, ...(await listed(REPORTED, rest, limit - first.length))];
  };
}

async function start(connections: Connections, deviceId: string): Promise<ImportablePlace> {
  const [row] = await connections.read<{ seq: number }>(LAST_REPORT, [deviceId]);
  return { ...TOP, began: row?.seq ?? 0, isWaiting: true };
}
