import type { RowOf } from "./rows.ts";
import { hasRows, statement, type Work } from "./statement.ts";

/**
 * The order of locks (rule SC3). Every transaction takes its locks in this order, so that no two wait for each other:
 *
 * 0. the row of `partial_turns` whose turn the change needs, shared. A call that takes or renews a turn waits for nothing else
 * 1. advisory: `LOCKS.migrations`, or `LOCKS.lapse`
 *    or the row of `registration_keys` that a registration counts in
 * 2. devices: rows of `device_locks`, by device id. Every change of a device, its code, its apps or its packages has it
 * 3. packages of these devices
 * 4. keys: rows of `sound_keys`, by key, and of `partials`
 * 5. advisory: addresses, networks and the relay's room, by the hash of their names (`LOCK_TIERS`)
 * 6. rows of `app_counts`, whose device it has, and of `room_counts`, by tier
 * 7. rows that it inserts and nobody waits for: manifests, announcements, `outbox`
 *
 * A call that has a package and finds its device locked passes it over (`TRY_DEVICES`), so it never waits: that is what
 * sweepers and heartbeats do. `LOCKS.denials` stands outside: a denial takes it alone, with nothing else to wait for.
 *
 * All are locks of a transaction, so that a pooler may give the next one another session. SQLite has one writer at a
 * time, and needs none of them.
 */
export const LOCKS = {
  migrations: 7_310_001,
  lapse: 7_310_002,
  /** Shared lock of changes that bring sounds into packages; exclusive for a denial until its commit. */
  denials: 7_310_003,
} as const;

const advisory = (name: string, lock: string) =>
  statement(name, `SELECT ${lock}(:lock)`, "postgres");
export const LOCK_EXCLUSIVELY = advisory("lock_exclusively", "pg_advisory_xact_lock");
export const LOCK_SHARED = advisory("lock_shared", "pg_advisory_xact_lock_shared");

/** Locks tiers: addresses, networks, `ALL_ROOM`. */
export const LOCK_TIERS = statement(
  "lock_tiers",
  `SELECT pg_advisory_xact_lock(hash) FROM (
     SELECT DISTINCT hashtextextended(tier, 7310) AS hash FROM unnest(:tiers::text[]) AS tier
     ORDER BY hash) AS sorted`,
  "postgres",
);

const lockDevices = (name: string, which: string) =>
  statement<RowOf<"device_locks", "device_id">>(
    name,
    `SELECT device_id FROM device_locks WHERE ${which}`,
  );
/** Locks a device. Returns no row if the device is gone. */
export const LOCK_DEVICE = lockDevices("lock_device", "device_id = :deviceId FOR NO KEY UPDATE");
/** Locks devices in their order. Returns those that are not gone. */
export const LOCK_DEVICES = lockDevices(
  "lock_devices",
  "device_id IN (:...deviceIds) ORDER BY device_id FOR NO KEY UPDATE",
);
/** Locks devices, and skips those that somebody else has locked. */
export const TRY_DEVICES = lockDevices(
  "try_devices",
  "device_id IN (:...deviceIds) ORDER BY device_id FOR NO KEY UPDATE SKIP LOCKED",
);
/** Locks devices and those of pairings, in their order. */
export const LOCK_SEEN = lockDevices(
  "lock_seen_devices",
  `device_id IN (SELECT device_id FROM devices WHERE device_id IN (:...deviceIds)
     UNION SELECT device_id FROM pairings WHERE pairing_id IN (:...pairingIds))
   ORDER BY device_id FOR NO KEY UPDATE`,
);
/** Locks the devices of packages, in their order. */
export const LOCK_DEVICES_OF_PACKAGES = lockDevices(
  "lock_devices_of_packages",
  `device_id IN (SELECT device_id FROM packages WHERE package_id IN (:...packageIds))
   ORDER BY device_id FOR NO KEY UPDATE`,
);
/** Locks the device of a package, which never changes. */
export const LOCK_DEVICE_OF_PACKAGE = lockDevices(
  "lock_device_of_package",
  `device_id = (SELECT device_id FROM packages WHERE package_id = :packageId)
   FOR NO KEY UPDATE`,
);

/** Locks a device. Returns false if it is gone. */
export function lockDevice(deviceId: string): Work<boolean> {
  return hasRows(LOCK_DEVICE({ deviceId }));
}
