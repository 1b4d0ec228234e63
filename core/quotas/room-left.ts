import { NETWORK_FACTOR } from "./budgets.ts";
import type { RoomCounts, RoomQuotas } from "./judge-room.ts";

/** The largest announcement, in bytes, for which `judgeRoom` has room; 0 if it has none. */
export function roomLeft(counts: RoomCounts, quotas: RoomQuotas): number {
  const { storedBytes, reservedOfDevice, reservedOfAddress, reservedBytes } = counts;
  const { unfilledPerAddress } = quotas;
  const ofNetworks = counts.reservedOfNetworks.map(
    (reserved, index) => unfilledPerAddress * NETWORK_FACTOR ** (index + 1) - reserved,
  );
  const left = Math.min(
    quotas.bytesPerAddressPerDay - counts.receivedBytes - reservedOfAddress,
    quotas.bytesPerDevice - storedBytes - reservedOfDevice,
    quotas.unfilledPerDevice - reservedOfDevice,
    unfilledPerAddress - reservedOfAddress,
    (quotas.roomBytes === "unknown" ? Infinity : quotas.roomBytes) - reservedBytes,
    // Networks are held to their share only while the relay is crowded.
    Math.max(quotas.uncrowdedBytes - reservedBytes, Math.min(...ofNetworks)),
  );
  return Math.max(0, Math.floor(left));
}
