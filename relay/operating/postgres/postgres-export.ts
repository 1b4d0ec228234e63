import type { Connections } from "../../storage/postgres/connections.ts";
import { statement } from "../../storage/postgres/statement.ts";
import { manifestOf, type Row, text, uploadedOf } from "../../storage/rows.ts";
import { type DeviceExport, type ExportedSound, readable } from "../export-device.ts";

/**
 * How a table's rows belong to a device, by the column that says so; the first that a table has counts. So a table
 * that is added later is exported too.
 */
const BELONGS: Readonly<Record<string, string>> = {
  device_id: "device_id = $1",
  pairing_id: "pairing_id IN (SELECT pairing_id FROM pairings WHERE device_id = $1)",
  package_id: "package_id IN (SELECT package_id FROM packages WHERE device_id = $1)",
  subject: `subject = $1 OR subject IN (SELECT pairing_id FROM pairings WHERE device_id = $1)
    OR subject IN (SELECT package_id FROM packages WHERE device_id = $1)`,
  key: "split_part(key, '/', 1) IN (SELECT package_id FROM packages WHERE device_id = $1)",
};

const DEVICE = statement("export_device", "SELECT 1 FROM devices WHERE device_id = $1");
const COLUMNS = statement(
  "export_columns",
  `SELECT table_name::text AS "table", column_name::text AS "column" FROM information_schema.columns
   WHERE table_schema = current_schema() AND data_type = 'text' ORDER BY 1`,
);
const SOUNDS = statement(
  "export_sounds",
  `SELECT package_id, files_deleted, uploaded, manifest FROM packages JOIN manifests USING (package_id)
   WHERE device_id = $1 ORDER BY package_id`,
);

/** @returns undefined if there is no such device */
export async function exportFromPostgres(
  connections: Connections,
  deviceId: string,
  now: number,
): Promise<DeviceExport | undefined> {
  if ((await connections.readSlowly(DEVICE, [deviceId])).length === 0) return undefined;
  const columns = await connections.readSlowly<{ table: string; column: string }>(COLUMNS);
  const records: Record<string, readonly Row[]> = {};
  for (const [table, ofTable] of Map.groupBy(columns, (each) => each.table)) {
    const column = Object.keys(BELONGS).find((name) => ofTable.some((one) => one.column === name));
    if (column === undefined) continue;
    const all = statement(`export_${table}`, `SELECT * FROM "${table}" WHERE ${BELONGS[column]}`);
    const rows = await connections.readSlowly<Row>(all, [deviceId]);
    if (rows.length > 0) records[table] = rows.map(readable);
  }
  const packages = await connections.readSlowly<Row>(SOUNDS, [deviceId]);
  const exported_at = new Date(now).toISOString();
  return { device_id: deviceId, exported_at, sounds: packages.flatMap(soundsOf), records };
}

function soundsOf(row: Row): readonly ExportedSound[] {
  const uploaded = row["files_deleted"] === 1 ? new Map() : uploadedOf(row["uploaded"]);
  return manifestOf(row).items.map(({ file, name, bytes, sha256 }) => ({
    package_id: text(row["package_id"]),
    file,
    name,
    bytes,
    sha256,
    stored: uploaded.has(file),
  }));
}
