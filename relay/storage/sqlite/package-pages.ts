import type { DatabaseSync, StatementSync } from "node:sqlite";
import type { PackageHead, PackageRecords } from "../../domain/ports.ts";
import {
  importableCursorOf,
  type ImportablePlace,
  ownCursorOf,
  parseImportableCursor,
  parseOwnCursor,
  TOP,
} from "../both-databases.ts";
import { headOf, number, type Row } from "../rows.ts";

/** The columns that a list reads of a package; `place` orders packages of the same time. */
const HEAD_COLUMNS = `packages.rowid AS place, packages.package_id, app_name, created_at, upload_ends_at,
  committed_at, wait_ends_at, outcome, lease_run, lease_ends_at, files_deleted, version`;

/** Lists the pages of an app's own packages (rule S7). An index keeps the cost of each at its own size. */
export function ownPages(database: DatabaseSync): PackageRecords["listOwn"] {
  const listed = database.prepare(
    `SELECT ${HEAD_COLUMNS} FROM packages
     WHERE device_id = :device AND app_id = :app AND (created_at, rowid) < (:at, :place)
     ORDER BY created_at DESC, rowid DESC LIMIT +:limit`,
  );
  return async ({ deviceId, appId }, { after, limit }) => {
    const from = after === undefined ? TOP : parseOwnCursor(after);
    if (from === undefined) return undefined;
    const rows = listed.all({ device: deviceId, app: appId, ...from, limit });
    return rows.map((row) => headOf(row, ownCursorOf(row)));
  };
}

const LISTED = `packages.device_id = :device AND committed_at IS NOT NULL AND files_deleted = 0
  AND files_end_at > :now AND (committed_at, packages.rowid) < (:at, :place)`;
// With a bare parameter as its limit, SQLite would compile a statement again each time that it runs.
const ORDER = "ORDER BY committed_at DESC, packages.rowid DESC LIMIT +:limit";

/** Lists the pages of the importer's list (rule I5). An index keeps the cost of each at its own size. */
export function importablePages(database: DatabaseSync): PackageRecords["listImportable"] {
  // A package that was reported since the list began is listed at its place among the waiting ones. One statement
  // reads both, so that nothing comes between.
  const waiting = database.prepare(
    `SELECT * FROM (SELECT ${HEAD_COLUMNS} FROM packages WHERE outcome IS NULL AND ${LISTED} ${ORDER})
     UNION ALL SELECT * FROM (
       SELECT ${HEAD_COLUMNS} FROM first_reports CROSS JOIN packages USING (package_id)
       WHERE first_reports.device_id = :device AND seq > :began AND outcome IS NOT NULL AND ${LISTED}
       ${ORDER})
     ORDER BY committed_at DESC, place DESC LIMIT +:limit`,
  );
  const reported = database.prepare(
    `SELECT ${HEAD_COLUMNS} FROM packages WHERE outcome IS NOT NULL AND ${LISTED}
       AND NOT EXISTS (SELECT 1 FROM first_reports
         WHERE first_reports.package_id = packages.package_id AND seq > :began)
     ${ORDER}`,
  );
  const lastReport = database.prepare(
    "SELECT coalesce(max(seq), 0) AS seq FROM first_reports WHERE device_id = ?",
  );

  return async (deviceId, now, { after, limit }) => {
    const from =
      after === undefined ? startOf(lastReport.get(deviceId)) : parseImportableCursor(after);
    if (from === undefined) return undefined;
    const { began } = from;
    const listed = (
      query: StatementSync,
      from: ImportablePlace,
      most: number,
    ): readonly PackageHead[] =>
      query
        .all({ device: deviceId, now, began, at: from.at, place: from.place, limit: most })
        .map((row) => headOf(row, importableCursorOf(row, from)));
    const first = from.isWaiting ? listed(waiting, from, limit) : [];
    if (first.length === limit) return first;
    const rest = from.isWaiting ? { ...TOP, began, isWaiting: false } : from;
    return [...first, ...listed(reported, rest, limit - first.length)];
  };
}

function startOf(lastReport: Row | undefined): ImportablePlace {
  return { ...TOP, began: number(lastReport?.["seq"]), isWaiting: true };
}
