import type { KeyRefusal } from "../../../core/quotas/judge-registration-key.ts";
import type {
  DeviceChange,
  DeviceFilter,
  DeviceRecord,
  DoomedKeys,
  KeyUse,
} from "../../domain/ports.ts";
import { change } from "./change.ts";
import { dropPackages, lockPackages } from "./key-moves.ts";
import { LOCK_DEVICE } from "./locks.ts";
import { appsChanged, STORE_CHANGED } from "./notices.ts";
import { IMPORT_COLUMNS, type MembersOf, type RowOf, withImports } from "./rows.ts";
import { useKey } from "./registration-keys.ts";
import { ask, askAll, noteRemoval, notify, statement, tell, type Work } from "./statement.ts";
import { insertInto, membersOf } from "./schema.ts";
import { type TableName } from "./tables.ts";

const INSERT = statement(
  "insert_device",
  insertInto("devices", [
    "device_id",
    "device_name",
    "token_hash",
    "registered_at",
    "last_seen_at",
    "registration_key",
  ]),
);
const INSERT_LOCK = statement("insert_device_lock", insertInto("device_locks"));
const NOTE_SERVED = statement(
  "note_first_device",
  `INSERT INTO upkeep (name, value) SELECT 'has_served', '1'
   WHERE NOT EXISTS (SELECT 1 FROM upkeep WHERE name = 'has_served') ON CONFLICT DO NOTHING`,
);
const RENAME = statement(
  "rename_device",
  "UPDATE devices SET device_name = :deviceName WHERE device_id = :deviceId",
);
const COUNT_IMPORT = statement(
  "note_import",
  `UPDATE devices SET import_days = import_days + 1, last_import_day = CAST(:importDay AS bigint),
     first_import_day = coalesce(first_import_day, :importDay)
   WHERE device_id = :deviceId AND coalesce(last_import_day < :importDay, true)`,
);
/** Locks all packages of a device. */
export const PACKAGES_OF_DEVICE = lockPackages(
  "lock_packages_of_device",
  "device_id = :deviceId ORDER BY package_id FOR UPDATE",
);

/** Defines a statement that deletes a device's rows in a table. */
export function deleteOfDevice(table: TableName) {
  return statement(`delete_${table}_of_device`, `DELETE FROM ${table} WHERE device_id = :deviceId`);
}

const REMOVE = deleteOfDevice("devices");
const FORGET_ANNOUNCEMENTS = deleteOfDevice("announcements");
const FORGET_ANSWERS = deleteOfDevice("idempotency_keys");
const READ_COLUMNS = [
  "device_id",
  "device_name",
  "registered_at",
  "last_seen_at",
  ...IMPORT_COLUMNS,
] as const;
const FIND = statement<MembersOf<"devices", (typeof READ_COLUMNS)[number]>>(
  "find_device",
  `SELECT ${membersOf("devices", READ_COLUMNS)} FROM devices WHERE token_hash = :tokenHash`,
);
const UNSEEN = statement<RowOf<"devices", "device_id">>(
  "unseen_devices",
  "SELECT device_id FROM devices WHERE last_seen_at < :time",
);
const NEVER_PAIRED = statement<RowOf<"devices", "device_id">>(
  "never_paired",
  "SELECT device_id FROM devices WHERE last_seen_at < :time AND has_paired = 0",
);

export const DEVICE_CHANGES = {
  insertDevice: change(insertDevice, {
    ifUnknown: function* ({ device, tokenHash }) {
      return (yield* findDevice(tokenHash))?.deviceId === device.deviceId;
    },
  }),
  changeDevice: change(changeDevice, { ifUnknown: "repeat" }),
  removeDevice: change(removeDevice, { writes: "packages" }),
};

function* insertDevice({
  device: { deviceId, deviceName, registeredAt, lastSeenAt },
  tokenHash,
  key,
}: {
  readonly device: DeviceRecord;
  readonly tokenHash: string;
  readonly key?: KeyUse | undefined;
}): Work<KeyRefusal | undefined> {
  if (key?.keyHash !== undefined) {
    const refused = yield* useKey(key.keyHash, key.now);
    if (refused !== undefined) return refused;
  }
  const registrationKey = key?.name ?? null;
  yield* tell(
    INSERT({ deviceId, deviceName, tokenHash, registeredAt, lastSeenAt, registrationKey }),
    INSERT_LOCK({ deviceId }),
    NOTE_SERVED(),
  );
  return undefined;
}

function* changeDevice({
  deviceId,
  deviceName,
  importDay,
}: DeviceChange & { readonly deviceId: string }): Work<void> {
  if (deviceName !== undefined) {
    yield* tell(LOCK_DEVICE({ deviceId }), RENAME({ deviceId, deviceName }));
    yield* notify(STORE_CHANGED);
  }
  if (importDay !== undefined) yield* tell(COUNT_IMPORT({ deviceId, importDay }));
}

/** Removes a device with everything that belongs to it. Returns the keys that this dooms. */
export function* removeDevice(deviceId: string): Work<DoomedKeys> {
  const [[device], packages] = yield* askAll(
    LOCK_DEVICE({ deviceId }),
    PACKAGES_OF_DEVICE({ deviceId }),
  );
  if (device === undefined) return { doomed: [] };
  const doomed = yield* dropPackages(packages);
  yield* tell(
    FORGET_ANNOUNCEMENTS({ deviceId }),
    FORGET_ANSWERS({ deviceId }),
    REMOVE({ deviceId }),
  );
  yield* noteRemoval("device", deviceId);
  yield* notify(STORE_CHANGED, appsChanged(`device:${deviceId}`));
  return { doomed };
}

export function* findDevice(tokenHash: string): Work<DeviceRecord | undefined> {
  const [row] = yield* ask(FIND({ tokenHash }));
  return row && withImports(row);
}

/** Lists the devices last seen before a time: all, or those that were never paired. */
export function* listDevices({
  unseenSince: time,
  neverPaired = false,
}: DeviceFilter): Work<readonly string[]> {
  const rows = yield* ask(neverPaired ? NEVER_PAIRED({ time }) : UNSEEN({ time }));
  return rows.map((row) => row.device_id);
}
