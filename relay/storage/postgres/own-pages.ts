import type { PackageRecords } from "../../domain/ports.ts";
import { HEAD_COLUMNS, headOf, number, type Row } from "./heads.ts";
import type { Connections } from "./connections.ts";
import { statement } from "./statement.ts";

const LIST = statement(
  "list_own",
  `SELECT ${HEAD_COLUMNS} FROM packages
   WHERE device_id = $1 AND app_id = $2 AND (created_at, place) < ($3, $4)
   ORDER BY created_at DESC, place DESC LIMIT $5`,
);
const TOP = { at: Number.MAX_SAFE_INTEGER, place: Number.MAX_SAFE_INTEGER };

/** The pages of an app's own packages (rule S7). Each costs what it has, by its index. */
export function ownPages(connections: Connections): PackageRecords["listOwn"] {
  return async ({ deviceId, appId }, { after, limit }) => {
    const from = after === undefined ? TOP : parseCursor(after);
    if (from === undefined) return undefined;
    const rows = await connections.read<Row>(LIST, [deviceId, appId, from.at, from.place, limit]);
    return rows.map((row) => headOf(row, cursorOf(row)));
  };
}

function cursorOf(row: Row): string {
  return `${number(row["created_at"])}-${number(row["place"])}`;
}

function parseCursor(cursor: string): typeof TOP | undefined {
  const [, at, place] = /^(\d{1,15})-(\d{1,15})$/.exec(cursor) ?? [];
  return at === undefined || place === undefined
    ? undefined
    : { at: Number(at), place: Number(place) };
}
