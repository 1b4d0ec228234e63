import type { PackageRecords } from "../../domain/ports.ts";
import { ownCursorOf, parseOwnCursor, TOP } from "../list-cursors.ts";
import { HEAD_COLUMNS, headOf, type Row } from "./heads.ts";
import type { Connections } from "./connections.ts";
import { statement } from "./statement.ts";

const LIST = statement(
  "list_own",
  `SELECT ${HEAD_COLUMNS} FROM packages
   WHERE device_id = $1 AND app_id = $2 AND (created_at, place) < ($3, $4)
   ORDER BY created_at DESC, place DESC LIMIT $5`,
);
/** The pages of an app's own packages (rule S7). Each costs what it has, by its index. */
export function ownPages(connections: Connections): PackageRecords["listOwn"] {
  return async ({ deviceId, appId }, { after, limit }) => {
    const from = after === undefined ? TOP : parseOwnCursor(after);
    if (from === undefined) return undefined;
    const rows = await connections.read<Row>(LIST, [deviceId, appId, from.at, from.place, limit]);
    return rows.map((row) => headOf(row, ownCursorOf(row)));
  };
}
