import type { PairingRecords } from "../../domain/ports.ts";
import type { Connections, Transaction } from "./connections.ts";
import { dropPackages, DROPPED_COLUMNS, type DroppedRow, readPartials } from "./key-moves.ts";
import { LOCK_DEVICE } from "./lock-order.ts";
import { sendNotices } from "./notices.ts";
import { statement } from "./statement.ts";

type DeviceWrites = Pick<
  PairingRecords,
  "insertDevice" | "renameDevice" | "noteImport" | "removeDevice" | "noteSeen"
>;

/** Number of rows that one transaction locks. */
const SEEN_BATCH = 200;

const INSERT = statement(
  "insert_device",
  `WITH device AS (
     INSERT INTO devices (device_id, device_name, token_hash, registered_at, last_seen_at)
     VALUES ($1, $2, $3, $4, $5))
   INSERT INTO device_counts (device_id) VALUES ($1)`,
);
const SERVED = statement(
  "note_first_device",
  `INSERT INTO upkeep (name, value) SELECT 'has_served', '1'
   WHERE NOT EXISTS (SELECT 1 FROM upkeep WHERE name = 'has_served') ON CONFLICT DO NOTHING`,
);
const INSERTED = statement(
  "has_device",
  "SELECT 1 FROM devices WHERE device_id = $1 AND token_hash = $2",
);
const RENAME = statement(
  "rename_device",
  "UPDATE devices SET device_name = $2 WHERE device_id = $1",
);
const COUNT_IMPORT = statement(
  "note_import",
  `UPDATE devices SET import_days = import_days + 1, last_import_day = $1,
     first_import_day = coalesce(first_import_day, $1)
   WHERE device_id = $2 AND coalesce(last_import_day < $1, true)`,
);
export const PACKAGES_OF_DEVICE = statement(
  "lock_packages_of_device",
  `SELECT ${DROPPED_COLUMNS} FROM packages WHERE device_id = $1 ORDER BY package_id FOR UPDATE`,
);
const REMOVE = statement("remove_device", "DELETE FROM devices WHERE device_id = $1");
const FORGET_ANNOUNCEMENTS = statement(
  "forget_announcements_of_device",
  "DELETE FROM announcements WHERE device_id = $1",
);
const FORGET_ANSWERS = statement(
  "forget_answers_of_device",
  "DELETE FROM idempotency_keys WHERE device_id = $1",
);
const seen = (table: "devices" | "pairings", id: string) =>
  statement(
    `note_seen_${table}`,
    `UPDATE ${table} SET last_seen_at = seen.at FROM (
       SELECT ${table}.${id}, greatest(last_seen_at, noted.at) AS at
       FROM ${table} JOIN unnest($1::text[], $2::bigint[]) AS noted (${id}, at) USING (${id})
       ORDER BY ${table}.${id} FOR NO KEY UPDATE OF ${table}) AS seen
     WHERE ${table}.${id} = seen.${id}`,
  );
const SEE_DEVICES = seen("devices", "device_id");
const SEE_PAIRINGS = seen("pairings", "pairing_id");

export function deviceWrites(connections: Connections): DeviceWrites {
  return {
    insertDevice: ({ deviceId, deviceName, registeredAt, lastSeenAt }, tokenHash) =>
      connections.transaction(
        async (tx) => {
          tx.send(INSERT, [deviceId, deviceName, tokenHash, registeredAt, lastSeenAt]);
          tx.send(SERVED);
        },
        {
          ifUnknown: async () =>
            (await connections.readSlowly(INSERTED, [deviceId, tokenHash])).length === 1,
        },
      ),
    renameDevice: (deviceId, deviceName) =>
      connections.transaction(
        async (tx) => {
          tx.send(LOCK_DEVICE, [deviceId]);
          tx.send(RENAME, [deviceId, deviceName]);
          sendNotices(tx, [{ topic: "store" }]);
        },
        { ifUnknown: "repeat" },
      ),
    noteImport: (deviceId, day) =>
      connections.transaction(async (tx) => tx.send(COUNT_IMPORT, [day, deviceId]), {
        ifUnknown: "repeat",
      }),
    removeDevice: (deviceId) =>
      connections.transaction(async (tx) => ({ doomed: await removeDevice(tx, deviceId) })),
    noteSeen: async ({ devices, pairings }) => {
      for (const batch of batchesOf(devices)) await connections.write(SEE_DEVICES, batch);
      for (const batch of batchesOf(pairings)) await connections.write(SEE_PAIRINGS, batch);
    },
  };
}

/** Removes a device as part of a transaction. Returns the keys that this dooms. */
export async function removeDevice(tx: Transaction, deviceId: string): Promise<readonly string[]> {
  tx.send(LOCK_DEVICE, [deviceId]);
  const packages = await tx.query<DroppedRow>(PACKAGES_OF_DEVICE, [deviceId]);
  const partials = await readPartials(
    tx,
    packages.map((row) => row.package_id),
  );
  const doomed = dropPackages(tx, packages, partials);
  tx.send(FORGET_ANNOUNCEMENTS, [deviceId]);
  tx.send(FORGET_ANSWERS, [deviceId]);
  tx.send(REMOVE, [deviceId]);
  sendNotices(tx, [
    { topic: "store" },
    { topic: `device:${deviceId}`, notification: { type: "apps.changed" } },
  ]);
  return doomed;
}

function batchesOf(times: ReadonlyMap<string, number>): readonly (readonly unknown[])[] {
  const all = [...times];
  return Array.from({ length: Math.ceil(all.length / SEEN_BATCH) }, (_, index) => {
    const batch = all.slice(index * SEEN_BATCH, (index + 1) * SEEN_BATCH);
    return [batch.map(([id]) => id), batch.map(([, at]) => at)];
  });
}
