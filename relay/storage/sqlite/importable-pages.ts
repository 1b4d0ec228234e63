import type { DatabaseSync, StatementSync } from "node:sqlite";
import type { PackageHead, PackageRecords } from "../../domain/ports.ts";
import {
  importableCursorOf,
  type ImportablePlace,
  parseImportableCursor,
  TOP,
} from "../list-cursors.ts";
import { HEAD_COLUMNS, headOf, number, type Row } from "../rows.ts";

const LISTED = `packages.device_id = :device AND committed_at IS NOT NULL AND files_deleted = 0
  AND files_end_at > :now AND (committed_at, packages.rowid) < (:at, :place)`;
// With a bare parameter as its limit, SQLite would compile a statement again each time that it runs.
const ORDER = "ORDER BY committed_at DESC, packages.rowid DESC LIMIT +:limit";

/** The pages of the importer's list (rule I5). Each costs what it has, by its index. */
export function importablePages(database: DatabaseSync): PackageRecords["listImportable"] {
  // What was reported since the list began is listed where it waited. In one statement: nothing comes between.
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
