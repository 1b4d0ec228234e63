import type { DatabaseSync } from "node:sqlite";
import type { RoomCounts, RoomRefusal } from "../../../core/quotas/judge-room.ts";
import type { RoomOutcome } from "../../domain/ports.ts";
import { number } from "../rows.ts";
import type { AddressWindow } from "./address-window.ts";

/** The caller who asks for room, and the time. */
interface RoomCaller {
  readonly deviceId: string;
  readonly address: string;
  readonly networks: readonly string[];
  readonly now: number;
  readonly confirmedNow: number;
}

/** The counters of a caller. `refuse` adds the time at which trying again can help. */
interface CountedRoom {
  readonly counts: RoomCounts;
  refuse(refused: RoomRefusal): RoomOutcome;
}

/**
 * Returns a function that ends the lapsed reservations, with the address that they were for. Each costs that once
 * (rule J4). Runs inside its caller's transaction.
 */
export function reservationLapse(
  database: DatabaseSync,
): (confirmedNow: number, latestEnd?: number) => void {
  const lapse = (condition: string) =>
    database.prepare(
      `UPDATE packages SET room_held_until = 0, room_tiers = '[]'
       WHERE room_held_until > 0 AND room_held_until ${condition}`,
    );
  const past = lapse("<= ?");
  const tooFarAhead = lapse("> ?");
  return (confirmedNow, latestEnd = Infinity) => {
    past.run(confirmedNow);
    if (latestEnd < Infinity) tooFarAhead.run(latestEnd);
  };
}

/**
 * Returns a function that brings the counters up to a time before a judgment: it stops counting packages whose files
 * are due for deletion, counts those again that are no longer due, unless their files are deleted (rule Z5), and ends
 * lapsed reservations. Each package costs that once, so the cost of a judgment doesn't depend on their number (rule
 * J4). Runs inside its caller's transaction.
 */
export function recounter(
  database: DatabaseSync,
): (confirmedNow: number, latestEnd?: number) => void {
  const stopCounting = database.prepare(
    "UPDATE packages SET counts = 0 WHERE counts = 1 AND files_end_at <= ?",
  );
  const countAgain = database.prepare(
    `UPDATE packages SET counts = 1
     WHERE counts = 0 AND files_end_at > ? AND files_deleted = 0`,
  );
  const lapse = reservationLapse(database);
  return (confirmedNow, latestEnd) => {
    stopCounting.run(confirmedNow);
    countAgain.run(confirmedNow);
    lapse(confirmedNow, latestEnd);
  };
}

/** Returns a function that reads the counters of room, inside its caller's transaction and after a recount. */
export function roomCounter(
  database: DatabaseSync,
  readAddress: (address: string, now: number) => AddressWindow,
): (caller: RoomCaller) => CountedRoom {
  const ofDevice = database.prepare(
    "SELECT stored_bytes, reserved_bytes FROM devices WHERE device_id = ?",
  );
  const ofTier = database.prepare("SELECT bytes FROM reservations WHERE tier = ?");
  const ofAll = database.prepare("SELECT reserved_bytes FROM totals WHERE id = 1");
  const nextLapse = lapseFinder(database);
  const reservedOf = (tier: string) => number(ofTier.get(tier)?.["bytes"] ?? 0);

  return (caller) => {
    const { deviceId, address, networks, now, confirmedNow } = caller;
    const device = ofDevice.get(deviceId);
    const window = readAddress(address, now);
    return {
      counts: {
        receivedBytes: window.bytes,
        storedBytes: number(device?.["stored_bytes"] ?? 0),
        reservedOfDevice: number(device?.["reserved_bytes"] ?? 0),
        reservedOfAddress: reservedOf(address),
        reservedOfNetworks: networks.map((network) => reservedOf(network)),
        reservedBytes: number(ofAll.get()?.["reserved_bytes"]),
      },
      refuse: (refused) => {
        if (refused.kind === "address-limit") {
          return { kind: "address-limit", freeAt: window.freeAt(refused.excessBytes) };
        }
        if (refused.kind !== "uploads-unfinished") return { kind: refused.kind };
        const freeAt = nextLapse(refused.of, caller) ?? confirmedNow;
        return { kind: "uploads-unfinished", freeAt };
      },
    };
  };
}

/** Returns a function that finds the next lapse of a reservation of the device, of the address, or of all. */
function lapseFinder(database: DatabaseSync) {
  const next = (condition: string) =>
    database.prepare(
      `SELECT room_held_until AS lapses FROM packages WHERE ${condition}room_held_until > 0
       ORDER BY room_held_until LIMIT 1`,
    );
  const ofDevice = next("device_id = ? AND ");
  const ofAddress = next("room_address = ? AND ");
  const ofAll = next("");
  return (of: "device" | "address" | "relay", { deviceId, address }: RoomCaller) => {
    const find = {
      device: () => ofDevice.get(deviceId),
      address: () => ofAddress.get(address),
      relay: () => ofAll.get(),
    };
    const row = find[of]();
    return row && number(row["lapses"]);
  };
}
