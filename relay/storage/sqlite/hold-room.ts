import type { DatabaseSync } from "node:sqlite";
import { judgeRoom, type RoomCounts } from "../../../core/quotas/judge-room.ts";
import type { HeldRoom, HoldOptions, HoldOutcome } from "../../domain/ports.ts";
import { addressWindows } from "./address-window.ts";
import { recounter, roomCounter } from "./room-counts.ts";
import { number, roomOf, text, tiersText } from "../rows.ts";

/** An upload's question for room, for the writer thread. */
export interface RoomHold {
  readonly packageId: string;
  readonly options: HoldOptions;
}

/** Keeps a package's room, or judges whether it gets room again. Runs inside its caller's transaction. */
export function holdWrite(database: DatabaseSync): (hold: RoomHold) => HoldOutcome {
  const addresses = addressWindows(database);
  const recount = recounter(database);
  const countRoom = roomCounter(database, (address, now) => addresses.read(address, now));
  const uploading = database.prepare(
    `SELECT device_id, missing_bytes, partial_bytes, room_held_until, room_tiers FROM packages
     WHERE package_id = ? AND committed_at IS NULL AND files_deleted = 0 AND files_end_at > ?`,
  );
  const hold = database.prepare(
    `UPDATE packages SET room_held_until = max(room_held_until, :until), room_tiers = :tiers
     WHERE package_id = :packageId`,
  );

  return ({ packageId, options }) => {
    const { now, provenNow, latestEnd, quotas, replacedBytes } = options;
    const { address, networks, until } = options.room;
    recount(provenNow, latestEnd);
    const row = uploading.get(packageId, provenNow);
    if (row === undefined) return { kind: "gone" };
    const bytes = number(row["missing_bytes"]);
    const held = roomOf(row);
    if (replacedBytes > 0 || (bytes > 0 && held?.address !== address)) {
      const deviceId = text(row["device_id"]);
      const room = countRoom({ deviceId, address, networks, now, provenNow });
      const partialBytes = number(row["partial_bytes"]);
      const others = withoutOwn(room.counts, { bytes, partialBytes, held }, options.room);
      const refused = judgeRoom(others, quotas, { bytes: bytes - partialBytes, replacedBytes });
      if (refused !== undefined) return room.refuse(refused);
    }
    if (bytes > 0) hold.run({ packageId, until, tiers: tiersText(options.room) });
    return { kind: "held" };
  };
}

/** What others have reserved of the counted shares, besides the package's own bytes. Its partials are stored. */
function withoutOwn(
  counts: RoomCounts,
  {
    bytes,
    partialBytes,
    held,
  }: {
    readonly bytes: number;
    readonly partialBytes: number;
    readonly held: HeldRoom | null;
  },
  { address, networks }: HeldRoom,
): RoomCounts {
  if (held === null) return counts;
  const own = new Set([held.address, ...held.networks]);
  const ownOf = (tier: string) => (own.has(tier) ? bytes : 0);
  return {
    ...counts,
    storedBytes: counts.storedBytes + partialBytes,
    reservedOfDevice: counts.reservedOfDevice - bytes,
    reservedOfAddress: counts.reservedOfAddress - ownOf(address),
    reservedOfNetworks: networks.map(
      (network, index) => (counts.reservedOfNetworks[index] ?? 0) - ownOf(network),
    ),
    reservedBytes: counts.reservedBytes - bytes,
  };
}
