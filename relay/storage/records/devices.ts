import type { DeviceRecord, DoomedKeys } from "../../domain/ports.ts";
import { change, oneStatement } from "./change.ts";
import { dropPackages, DROPPED_COLUMNS, type DroppedRow } from "./key-moves.ts";
import { LOCK_DEVICE } from "./locks.ts";
import { appsChanged, STORE_CHANGED } from "./notices.ts";
import { deviceOf, type Row } from "./rows.ts";
import { ask, askAll, noteRemoval, notify, statement, tell, type Work } from "./statement.ts";

const INSERT = statement(
  "insert_device",
  `INSERT INTO devices (device_id, device_name, token_hash, registered_at, last_seen_at)
   VALUES (:device_id, :device_name, :token_hash, :registered_at, :last_seen_at)`,
);
const INSERT_COUNTS = statement(
  "insert_device_counts",
  "INSERT INTO device_counts (device_id) VALUES (:device_id)",
);
const NOTE_SERVED = statement(
  "note_first_device",
  `INSERT INTO upkeep (name, value) SELECT 'has_served', '1'
   WHERE NOT EXISTS (SELECT 1 FROM upkeep WHERE name = 'has_served') ON CONFLICT DO NOTHING`,
);
const HAS_DEVICE = statement(
  "has_device",
  "SELECT 1 FROM devices WHERE device_id = :device_id AND token_hash = :token_hash",
);
const RENAME = statement(
  "rename_device",
  "UPDATE devices SET device_name = :device_name WHERE device_id = :device_id",
);
const COUNT_IMPORT = statement(
  "note_import",
  `UPDATE devices SET import_days = import_days + 1, last_import_day = CAST(:day AS bigint),
     first_import_day = coalesce(first_import_day, :day)
   WHERE device_id = :device_id AND coalesce(last_import_day < :day, true)`,
);
/** Locks all packages of a device. */
export const PACKAGES_OF_DEVICE = statement<DroppedRow>(
  "lock_packages_of_device",
  (sql) =>
    `SELECT ${DROPPED_COLUMNS} FROM packages WHERE device_id = :device_id ORDER BY package_id ${sql.lockToDelete}`,
);
const REMOVE = statement("remove_device", "DELETE FROM devices WHERE device_id = :device_id");
const FORGET_ANNOUNCEMENTS = statement(
  "forget_announcements_of_device",
  "DELETE FROM announcements WHERE device_id = :device_id",
);
const FORGET_ANSWERS = statement(
  "forget_answers_of_device",
  "DELETE FROM idempotency_keys WHERE device_id = :device_id",
);
const FIND = statement<Row>("find_device", "SELECT * FROM devices WHERE token_hash = :token_hash");
const UNSEEN = statement<{ readonly device_id: string }>(
  "unseen_devices",
  "SELECT device_id FROM devices WHERE last_seen_at < :time",
);

export const DEVICE_CHANGES = {
  insertDevice: change(
    function* ({ device, tokenHash }: { device: DeviceRecord; tokenHash: string }): Work<void> {
      yield* tell(
        INSERT({
          device_id: device.deviceId,
          device_name: device.deviceName,
          token_hash: tokenHash,
          registered_at: device.registeredAt,
          last_seen_at: device.lastSeenAt,
        }),
        INSERT_COUNTS({ device_id: device.deviceId }),
        NOTE_SERVED(),
      );
    },
    {
      ifUnknown: function* ({ device, tokenHash }) {
        const device_id = device.deviceId;
        return (yield* ask(HAS_DEVICE({ device_id, token_hash: tokenHash }))).length === 1;
      },
    },
  ),
  renameDevice: change(
    function* ({ deviceId, deviceName }: { deviceId: string; deviceName: string }): Work<void> {
      yield* tell(
        LOCK_DEVICE({ device_id: deviceId }),
        RENAME({ device_id: deviceId, device_name: deviceName }),
      );
      yield* notify(STORE_CHANGED);
    },
    { ifUnknown: "repeat" },
  ),
  noteImport: oneStatement(
    ({ deviceId, day }: { deviceId: string; day: number }) =>
      COUNT_IMPORT({ device_id: deviceId, day }),
    { ifUnknown: "repeat" },
  ),
  removeDevice: change(removeDevice, { writes: "packages" }),
};

/** Removes a device with everything that belongs to it. Returns the keys that this dooms. */
export function* removeDevice(deviceId: string): Work<DoomedKeys> {
  const device_id = deviceId;
  const [[device], packages] = yield* askAll(
    LOCK_DEVICE({ device_id }),
    PACKAGES_OF_DEVICE({ device_id }),
  );
  if (device === undefined) return { doomed: [] };
  const doomed = yield* dropPackages(packages);
  yield* tell(
    FORGET_ANNOUNCEMENTS({ device_id }),
    FORGET_ANSWERS({ device_id }),
    REMOVE({ device_id }),
  );
  yield* noteRemoval("device", deviceId);
  yield* notify(STORE_CHANGED, appsChanged(`device:${deviceId}`));
  return { doomed };
}

export function* findDevice(tokenHash: string): Work<DeviceRecord | undefined> {
  const [row] = yield* ask(FIND({ token_hash: tokenHash }));
  return row && deviceOf(row);
}

/** Lists the devices last seen before `time`. */
export function* listUnseen(time: number): Work<readonly string[]> {
  return (yield* ask(UNSEEN({ time }))).map((row) => row.device_id);
}
