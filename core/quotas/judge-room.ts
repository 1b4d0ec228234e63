import { NETWORK_FACTOR } from "./budgets.ts";

/** The quotas of an app's bytes before they are sent (rules L2, L4, U6, U9). */
export interface RoomQuotas {
  /** Bytes stored and reserved. */
  readonly bytesPerDevice: number;
  readonly bytesPerAddressPerDay: number;
  /** Bytes that a device's unfinished packages may reserve. */
  readonly unfilledPerDevice: number;
  /** Bytes that an address may reserve; each wider network has `NETWORK_FACTOR` times as much. */
  readonly unfilledPerAddress: number;
  /** Networks are held to their share only while more than this is reserved in all. */
  readonly uncrowdedBytes: number;
  /** Bytes that may be reserved in all, this call included; "unknown" if the store can't tell its room. */
  readonly roomBytes: number | "unknown";
}

/**
 * The counts of a store for one announcement, or for an upload that asks for room again. Reserved are the bytes
 * that packages may still upload, as long as they hold room for them; the package that asks doesn't count.
 */
export interface RoomCounts {
  /** Bytes of files that came from the address in the last 24 hours, and became part of a package or a partial. */
  readonly receivedBytes: number;
  /** Bytes of the device's uploaded files that are not due for deletion, and of partials without reserved room. */
  readonly storedBytes: number;
  readonly reservedOfDevice: number;
  readonly reservedOfAddress: number;
  /** Bytes reserved in each network around the address, from narrow to wide. */
  readonly reservedOfNetworks: readonly number[];
  /** Bytes reserved by all devices. */
  readonly reservedBytes: number;
}

export interface AskedRoom {
  /** Bytes to reserve. */
  readonly bytes: number;
  /** Bytes to receive for a file that the package has already: they take room, and reserve none. */
  readonly replacedBytes?: number;
}

export type RoomRefusal =
  /** The address must wait until `excessBytes` of what it sent, oldest first, are a day old. */
  | { readonly kind: "address-limit"; readonly excessBytes: number }
  | { readonly kind: "device-full" | "no-room" }
  /** There will be room once a reservation of this device, of this address, or of anybody lapses. */
  | { readonly kind: "uploads-unfinished"; readonly of: "device" | "address" | "relay" };

/** Judges an upload that asks for room again; undefined if it gets it (rule U6). */
export function judgeRoom(
  counts: RoomCounts,
  quotas: RoomQuotas,
  asked: AskedRoom,
): RoomRefusal | undefined {
  return judgeAddress(counts, quotas, asked) ?? judgeSpace(counts, quotas, asked);
}

/** Judges the bytes that an address may send in a day (rule L4). */
export function judgeAddress(
  { receivedBytes, reservedOfAddress }: RoomCounts,
  { bytesPerAddressPerDay }: RoomQuotas,
  { bytes, replacedBytes = 0 }: AskedRoom,
): RoomRefusal | undefined {
  const excessBytes = receivedBytes + bytes + replacedBytes - bytesPerAddressPerDay;
  if (excessBytes > 0) return { kind: "address-limit", excessBytes };
  if (excessBytes + reservedOfAddress > 0) return { kind: "uploads-unfinished", of: "address" };
  return undefined;
}

/** Judges the room of the device and of the relay. Stored bytes come before reserved ones as the reason. */
export function judgeSpace(
  counts: RoomCounts,
  quotas: RoomQuotas,
  { bytes, replacedBytes = 0 }: AskedRoom,
): RoomRefusal | undefined {
  const { storedBytes, reservedOfDevice, reservedOfAddress, reservedBytes } = counts;
  const { bytesPerDevice } = quotas;
  const room = quotas.roomBytes === "unknown" ? Infinity : quotas.roomBytes;
  if (storedBytes + bytes > bytesPerDevice) return { kind: "device-full" };
  if (bytes + replacedBytes > room) return { kind: "no-room" };

  const ofDevice = reservedOfDevice + bytes;
  if (ofDevice > Math.min(quotas.unfilledPerDevice, bytesPerDevice - storedBytes)) {
    return { kind: "uploads-unfinished", of: "device" };
  }
  if (reservedOfAddress + bytes > quotas.unfilledPerAddress) {
    return { kind: "uploads-unfinished", of: "address" };
  }
  // A network gets room as soon as anybody's reservation lapses: then the relay may be crowded no longer.
  const isCrowded = reservedBytes + bytes > quotas.uncrowdedBytes;
  if (reservedBytes + bytes + replacedBytes > room || (isCrowded && isNetworkFull())) {
    return { kind: "uploads-unfinished", of: "relay" };
  }
  return undefined;

  function isNetworkFull(): boolean {
    return counts.reservedOfNetworks.some(
      (reserved, index) =>
        reserved + bytes > quotas.unfilledPerAddress * NETWORK_FACTOR ** (index + 1),
    );
  }
}

/** Returns the largest announcement, in bytes, for which `judgeRoom` has room; 0 if it has none. */
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

/** The use of an app, its device and its address that an announcement is judged by. */
export interface Usage extends RoomCounts {
  /** The device's packages that are committed, not reported, and not expired. */
  readonly waitingPackages: number;
  /** The app's announcements in the last hour (rule L1). */
  readonly announcements: number;
  /** Time of the earliest of them; null without one. */
  readonly firstAnnouncedAt: number | null;
}
