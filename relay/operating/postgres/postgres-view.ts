import { SWITCHES } from "../../domain/ports.ts";
import type { Connections } from "../../storage/postgres/connections.ts";
import type { PostgresDatabase } from "../../storage/postgres/postgres-database.ts";
import { statement } from "../../storage/postgres/statement.ts";
import { manifestOf, number, type Row, text, uploadedOf } from "../../storage/rows.ts";
import { type DeviceExport, type ExportedSound, readable } from "../export-device.ts";
import { blockOf, denialOf, type ListedSwitch, operationOf, switchOf } from "../list-decisions.ts";
import {
  appOf,
  deviceOf,
  packageOf,
  type PageOf,
  pageOf,
  STATE_OF_PACKAGE,
} from "../list-records.ts";
import { type PackageFilter, type RelayView, type Stats, statsOf } from "../relay-view.ts";

const DEVICES = statement(
  "view_devices",
  `SELECT device_id, device_name, registered_at, last_seen_at,
     (SELECT count(*) FROM pairings WHERE pairings.device_id = devices.device_id) AS apps,
     (SELECT count(*) FROM packages WHERE packages.device_id = devices.device_id) AS packages,
     (SELECT coalesce(sum(announced_bytes), 0)::bigint FROM packages
        WHERE packages.device_id = devices.device_id AND files_deleted = 0) AS bytes,
     (EXISTS (SELECT 1 FROM blocks WHERE subject = devices.device_id))::int AS blocked
   FROM devices WHERE device_id > $1 AND (NOT $2::boolean OR has_paired = 0)
   ORDER BY device_id LIMIT $3`,
);
const APPS = statement(
  "view_apps",
  `SELECT * FROM pairings WHERE pairing_id > $1 AND ($2::text IS NULL OR device_id = $2)
   ORDER BY pairing_id LIMIT $3`,
);
const PACKAGES = statement(
  "view_packages",
  `SELECT package_id, device_id, app_id, app_name, announced_bytes, created_at, committed_at, manifest,
     ${STATE_OF_PACKAGE} AS state
   FROM packages JOIN manifests USING (package_id)
   WHERE package_id > $1 AND ($2::text IS NULL OR device_id = $2)
     AND ($3::text IS NULL OR ${STATE_OF_PACKAGE} = $3)
     AND ($4::text IS NULL OR position($4 IN manifest) > 0)
   ORDER BY package_id LIMIT $5`,
);
const BLOCKS = statement(
  "view_blocks",
  `SELECT * FROM blocks WHERE subject COLLATE "C" > $1 ORDER BY subject COLLATE "C" LIMIT $2`,
);
const DENIALS = statement(
  "view_denials",
  `SELECT * FROM denied_sounds WHERE sha256 COLLATE "C" > $1 ORDER BY sha256 COLLATE "C" LIMIT $2`,
);
const SWITCHED = statement("view_switches", "SELECT name, sentence, switched_at FROM switches");
const OPERATIONS = statement(
  "view_operations",
  "SELECT * FROM operator_log WHERE seq < $1 ORDER BY seq DESC LIMIT $2",
);
const STATES = statement(
  "view_states",
  `SELECT ${STATE_OF_PACKAGE} AS state, count(*) AS n,
     min(committed_at) AS oldest,
     (coalesce(sum(announced_bytes) FILTER (WHERE files_deleted = 0), 0))::bigint AS announced,
     (coalesce(sum(missing_bytes) FILTER (WHERE files_deleted = 0), 0))::bigint AS missing
   FROM packages GROUP BY 1`,
);
const COUNTS = statement(
  "view_counts",
  `SELECT (SELECT count(*) FROM devices) AS devices,
     (SELECT count(*) FROM devices WHERE has_paired = 0) AS devices_never_paired,
     (SELECT count(*) FROM pairings) AS apps,
     (SELECT count(*) FROM blocks WHERE kind = 'address') AS blocked_addresses,
     (SELECT count(*) FROM blocks WHERE kind = 'device') AS blocked_devices,
     (SELECT count(*) FROM denied_sounds) AS denied_sounds`,
);

/** The records of a relay in PostgreSQL. */
export class PostgresView implements RelayView {
  readonly place: string;
  readonly #database: PostgresDatabase;
  readonly #freeBytes: () => Promise<number | "unknown">;

  /** Opens the records. Owns the database from then on. @param freeBytes the room that the sounds have */
  constructor(database: PostgresDatabase, freeBytes: () => Promise<number | "unknown">) {
    this.place = database.connections.where;
    this.#database = database;
    this.#freeBytes = freeBytes;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#database[Symbol.asyncDispose]();
  }

  async listDevices(
    page: PageOf,
    { onlyUnpaired = false }: { readonly onlyUnpaired?: boolean } = {},
  ) {
    const values = [page.after ?? "", onlyUnpaired, page.limit + 1];
    return pageOf(await this.#rows(DEVICES, values), page, deviceOf);
  }

  async listApps(page: PageOf, { device }: { readonly device?: string | undefined } = {}) {
    const values = [page.after ?? "", device ?? null, page.limit + 1];
    return pageOf(await this.#rows(APPS, values), page, appOf);
  }

  async listPackages(page: PageOf, { device, state, sha256 }: PackageFilter = {}) {
    const filters = [device ?? null, state ?? null, sha256 ?? null];
    const rows = await this.#rows(PACKAGES, [page.after ?? "", ...filters, page.limit + 1]);
    return pageOf(rows, page, (row) => {
      const { title, items } = manifestOf(row);
      return packageOf({ ...row, title, sounds: items.length });
    });
  }

  async listBlocks(page: PageOf) {
    return pageOf(await this.#rows(BLOCKS, [page.after ?? "", page.limit + 1]), page, blockOf);
  }

  async listDenials(page: PageOf) {
    return pageOf(await this.#rows(DENIALS, [page.after ?? "", page.limit + 1]), page, denialOf);
  }

  async listSwitches(): Promise<readonly ListedSwitch[]> {
    const rows = await this.#rows(SWITCHED, []);
    return SWITCHES.map((name) =>
      switchOf(
        name,
        rows.find((row) => row["name"] === name),
      ),
    );
  }

  async listOperations(page: PageOf) {
    const before = page.after === undefined ? Number.MAX_SAFE_INTEGER : Number(page.after);
    return pageOf(await this.#rows(OPERATIONS, [before, page.limit + 1]), page, operationOf);
  }

  async readStats(): Promise<Stats> {
    const [counts = {}] = await this.#rows(COUNTS, []);
    const states = await this.#rows(STATES, []);
    const sumOf = (column: string) => states.reduce((sum, row) => sum + number(row[column]), 0);
    const waiting = states.find((row) => row["state"] === "waiting");
    return statsOf({
      counts,
      states: new Map(states.map((row) => [text(row["state"]), number(row["n"])])),
      oldest: waiting?.["oldest"],
      announced: sumOf("announced"),
      missing: sumOf("missing"),
      freeBytes: await this.#freeBytes(),
      switches: await this.listSwitches(),
    });
  }

  exportDevice(deviceId: string, now: number) {
    return exportFromPostgres(this.#database.connections, deviceId, now);
  }

  #rows(...args: Parameters<Connections["readSlowly"]>): Promise<readonly Row[]> {
    return this.#database.connections.readSlowly<Row>(...args);
  }
}

/** Conditions for a device's rows, by a table's first such column. A table that is added later is exported, too. */
const BELONGS: Readonly<Record<string, string>> = {
  device_id: "device_id = $1",
  pairing_id: "pairing_id IN (SELECT pairing_id FROM pairings WHERE device_id = $1)",
  token_hash: `token_hash IN (SELECT token_hash FROM app_tokens JOIN pairings USING (pairing_id)
    WHERE device_id = $1)`,
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

/** Exports everything that is stored about a device. @returns undefined if there is no such device */
async function exportFromPostgres(
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
