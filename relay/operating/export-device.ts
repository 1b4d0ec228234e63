import type { Dialect } from "../storage/records/dialect.ts";
import { manifestOf, type Row, text, uploadedOf } from "../storage/records/rows.ts";
import { ask, statement, type Work } from "../storage/records/statement.ts";
import { allTables, columnNames } from "../storage/records/tables.ts";
import { withTimes } from "./lists.ts";

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

const PAIRINGS = "(SELECT pairing_id FROM pairings WHERE device_id = :device_id)";
const PACKAGES = "(SELECT package_id FROM packages WHERE device_id = :device_id)";

/** Conditions for a device's rows, by a table's first such column. A table that is added later is exported, too. */
const BELONGS: Readonly<Record<string, (sql: Dialect) => string>> = {
  device_id: () => "device_id = :device_id",
  pairing_id: () => `pairing_id IN ${PAIRINGS}`,
  token_hash: () =>
    `token_hash IN (SELECT token_hash FROM app_tokens WHERE pairing_id IN ${PAIRINGS})`,
  package_id: () => `package_id IN ${PACKAGES}`,
  subject: () => `subject = :device_id OR subject IN ${PAIRINGS} OR subject IN ${PACKAGES}`,
  key: (sql) => `${sql.packageOfKey("key")} IN ${PACKAGES}`,
};

const TABLES_OF_DEVICE = allTables().flatMap(([table]) => {
  const [, belongs] =
    Object.entries(BELONGS).find(([column]) => columnNames(table).includes(column)) ?? [];
  if (belongs === undefined) return [];
  const rows = statement<Row>(
    `export_${table}`,
    (sql) => `SELECT * FROM ${table} WHERE ${belongs(sql)}`,
  );
  return [[table, rows] as const];
});

const SOUNDS = statement<Row>(
  "export_sounds",
  `SELECT package_id, files_deleted, uploaded, manifest FROM packages JOIN manifests USING (package_id)
   WHERE device_id = :device_id ORDER BY package_id`,
);

/** Columns that hold JSON as text. */
const JSON_COLUMNS: ReadonlySet<string> = new Set(["manifest", "uploaded", "results", "answer"]);

/** Exports everything that is stored about a device. @returns undefined if there is no such device */
export function* exportDevice(deviceId: string, now: number): Work<DeviceExport | undefined> {
  const device_id = deviceId;
  const records: Record<string, readonly Row[]> = {};
  for (const [table, rowsOf] of TABLES_OF_DEVICE) {
    const rows = yield* ask(rowsOf({ device_id }));
    if (rows.length > 0) records[table] = rows.map(readable);
  }
  if (records["devices"] === undefined) return undefined;
  const sounds = (yield* ask(SOUNDS({ device_id }))).flatMap(soundsOf);
  return { device_id, exported_at: new Date(now).toISOString(), sounds, records };
}

/** Converts the times and JSON in a row for human readers. */
function readable(row: Row): Row {
  return withTimes(
    Object.fromEntries(
      Object.entries(row).map(([name, value]) => [
        name,
        JSON_COLUMNS.has(name) && typeof value === "string" ? JSON.parse(value) : value,
      ]),
    ),
  );
}

function soundsOf(row: Row): readonly ExportedSound[] {
  const uploaded = row["files_deleted"] === 1 ? new Map() : uploadedOf(row["uploaded"]);
  return manifestOf(row).items.map(({ file, name, bytes, sha256 }) => {
    const stored = uploaded.has(file);
    return { package_id: text(row["package_id"]), file, name, bytes, sha256, stored };
  });
}
