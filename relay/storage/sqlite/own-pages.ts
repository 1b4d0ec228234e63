import type { DatabaseSync } from "node:sqlite";
import type { PackageRecords } from "../../domain/ports.ts";
import { ownCursorOf, parseOwnCursor, TOP } from "../list-cursors.ts";
import { HEAD_COLUMNS, headOf } from "../rows.ts";

/** The pages of an app's own packages (rule S7). Each costs what it has, by its index. */
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
