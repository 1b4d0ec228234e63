import type { DatabaseSync } from "node:sqlite";
import { type Row, text } from "../storage/rows.ts";

/** One file of a device's packages. */
export interface ExportedSound {
  readonly package_id: string;
  readonly file: string;
  readonly name: string;
  readonly bytes: number;
  readonly sha256: string;
  /** True if the relay has its bytes. */
  readonly stored: boolean;
}

/** Everything that is stored about a device. */
export interface DeviceExport {
  readonly device_id: string;
  readonly exported_at: string;
  readonly sounds: readonly ExportedSound[];
  /** Every row that is about the device, its apps and its packages, by table. Times are UTC. */
  readonly records: Readonly<Record<string, readonly Row[]>>;
}

/** Conditions for a device's rows, by a table's first such column. A table that is added later is exported, too. */
const BELONGS: Readonly<Record<string, string>> = {
  device_id: "device_id = ?1",
  pairing_id: "pairing_id IN (SELECT pairing_id FROM pairings WHERE device_id = ?1)",
  token_hash: `token_hash IN (SELECT token_hash FROM app_tokens JOIN pairings USING (pairing_id)
    WHERE device_id = ?1)`,
  package_id: "package_id IN (SELECT package_id FROM packages WHERE device_id = ?1)",
  subject: `subject = ?1 OR subject IN (SELECT pairing_id FROM pairings WHERE device_id = ?1)
    OR subject IN (SELECT package_id FROM packages WHERE device_id = ?1)`,
  key: `substr(key, 1, instr(key, '/') - 1) IN (SELECT package_id FROM packages WHERE device_id = ?1)`,
};

/** Columns that hold JSON as text. */
const JSON_COLUMNS: ReadonlySet<string> = new Set(["manifest", "uploaded", "results", "answer"]);

/** Exports everything that is stored about a device. @returns undefined if there is no such device */
export function exportDevice(
  database: DatabaseSync,
  deviceId: string,
  now: number,
): DeviceExport | undefined {
  if (database.prepare("SELECT 1 FROM devices WHERE device_id = ?").get(deviceId) === undefined) {
    return undefined;
  }
  const records: Record<string, readonly Row[]> = {};
  for (const table of tablesOf(database)) {
    const columns = columnsOf(database, table);
    const column = Object.keys(BELONGS).find((name) => columns.includes(name));
    if (column === undefined) continue;
    const rows = database.prepare(`SELECT * FROM ${table} WHERE ${BELONGS[column]}`).all(deviceId);
    if (rows.length > 0) records[table] = rows.map(readable);
  }
  const exported_at = new Date(now).toISOString();
  return { device_id: deviceId, exported_at, sounds: soundsOf(database, deviceId), records };
}

/** Lists every table, in the order of their names. */
export function tablesOf(database: DatabaseSync): readonly string[] {
  return database
    .prepare(
      "SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite_%' ORDER BY name",
    )
    .all()
    .map((row) => text(row["name"]));
}

/** Lists every stored column of a table. */
export function columnsOf(database: DatabaseSync, table: string): readonly string[] {
  return database
    .prepare("SELECT name FROM pragma_table_info(?)")
    .all(table)
    .map((row) => text(row["name"]));
}

/** Converts the times and JSON in a row for human readers. */
export function readable(row: Row): Row {
  return Object.fromEntries(
    Object.entries(row).map(([name, value]) => {
      if (/(^|_)at$/.test(name) && typeof value === "number") {
        return [name, new Date(value).toISOString()];
      }
      return [
        name,
        JSON_COLUMNS.has(name) && typeof value === "string" ? JSON.parse(value) : value,
      ];
    }),
  );
}

function soundsOf(database: DatabaseSync, deviceId: string): readonly ExportedSound[] {
  const rows = database
    .prepare(
      `SELECT package_id, item.value ->> 'file' AS file, item.value ->> 'name' AS name,
         item.value ->> 'bytes' AS bytes, item.value ->> 'sha256' AS sha256,
         files_deleted = 0 AND EXISTS (
           SELECT 1 FROM json_each(uploaded) AS had WHERE had.value ->> 0 = item.value ->> 'file') AS stored
       FROM packages JOIN manifests USING (package_id), json_each(manifest, '$.items') AS item
       WHERE device_id = ? ORDER BY package_id, item.key`,
    )
    .all(deviceId);
  return rows.map((row) => ({
    package_id: text(row["package_id"]),
    file: text(row["file"]),
    name: text(row["name"]),
    bytes: Number(row["bytes"]),
    sha256: text(row["sha256"]),
    stored: row["stored"] === 1,
  }));
}
