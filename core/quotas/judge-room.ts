import { NETWORK_FACTOR } from "./budgets.ts";
import { type AppUse, type Filler, findFiller, leftFor, sharesOfBytes } from "./room-shares.ts";

/** The quotas of an app's bytes before they are sent (rules L2, L4, L11, U6, U9). */
export interface RoomQuotas {
  /** Bytes stored and reserved, of all apps of the device and of its spare packages. */
  readonly bytesPerDevice: number;
  readonly bytesPerAddressPerDay: number;
  /** Bytes that an app's unfinished packages may reserve. */
  readonly unfilledPerApp: number;
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
  /** Bytes of the app's uploaded files that count and are not due for deletion, and of partials without reserved room. */
  readonly storedBytes: number;
  readonly reservedOfApp: number;
  /** The device's other apps that hold something. */
  readonly others: readonly AppUse[];
  /** Bytes of the device's spare packages, which make room for others (rule L12). */
  readonly spareBytes: number;
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
  | ({ readonly kind: "device-full"; readonly of: Filler } & Freeable)
  | ({ readonly kind: "no-room" } & Freeable)
  /** There will be room once a reservation of this app, its device, its address, or anybody lapses. */
  | ({
      readonly kind: "uploads-unfinished";
      readonly of: "app" | "device" | "address" | "relay";
    } & Freeable);

/** Set if there is room as soon as spare packages go (rule L12). */
interface Freeable {
  readonly frees?: SpareRoom;
}

/** Room that spare packages of a device, or of any, can make. */
export interface SpareRoom {
  readonly of: "device" | "relay";
  readonly bytes: number;
}

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
  asked: AskedRoom,
): RoomRefusal | undefined {
  const { bytes, replacedBytes = 0 } = asked;
  const { storedBytes, reservedOfApp, reservedOfAddress, reservedBytes, others } = counts;
  const room = quotas.roomBytes === "unknown" ? Infinity : quotas.roomBytes;
  const shares = sharesOfBytes(quotas.bytesPerDevice);
  const stored = others.map((other) => ({ appId: other.appId, held: other.storedBytes }));
  const held = stored.map((other) => other.held);
  // A file that is sent again takes none of its app's share, even if others' shares have grown since.
  if (bytes > Math.max(0, leftFor(shares, storedBytes, held))) {
    return { kind: "device-full", of: findFiller(shares, storedBytes, stored) };
  }
  const lacksBytes = reservedBytes + bytes + replacedBytes - room;
  const frees = { of: "relay", bytes: lacksBytes } as const;
  if (bytes + replacedBytes > room) {
    // Spare packages go only if nothing else is in the way.
    const other = judgeSpace(counts, { ...quotas, roomBytes: "unknown" }, asked);
    const isAll = other === undefined || "frees" in other;
    return { kind: "no-room", ...(isAll && { frees }) };
  }

  if (reservedOfApp + bytes > quotas.unfilledPerApp) {
    return { kind: "uploads-unfinished", of: "app" };
  }
  if (bytes > Math.max(0, leftInDevice(counts, quotas))) {
    return { kind: "uploads-unfinished", of: "device" };
  }
  if (reservedOfAddress + bytes > quotas.unfilledPerAddress) {
    return { kind: "uploads-unfinished", of: "address" };
  }
  // A network gets room as soon as anybody's reservation lapses: then the relay may be crowded no longer.
  const isCrowded = reservedBytes + bytes > quotas.uncrowdedBytes;
  if (isCrowded && isNetworkFull()) return { kind: "uploads-unfinished", of: "relay" };
  if (lacksBytes > 0) return { kind: "uploads-unfinished", of: "relay", frees };
  const all = others.reduce((sum, other) => sum + heldBy(other), storedBytes + reservedOfApp);
  const excessBytes = all + counts.spareBytes + bytes - quotas.bytesPerDevice;
  if (excessBytes <= 0) return undefined;
  const of = findFiller(shares, storedBytes, stored);
  return { kind: "device-full", of, frees: { of: "device", bytes: excessBytes } };

  function isNetworkFull(): boolean {
    return counts.reservedOfNetworks.some(
      (reserved, index) =>
        reserved + bytes > quotas.unfilledPerAddress * NETWORK_FACTOR ** (index + 1),
    );
  }
}

/** Returns the bytes that the device's other apps leave to this one; spare packages don't count. */
function leftInDevice(
  { storedBytes, reservedOfApp, others }: RoomCounts,
  { bytesPerDevice }: RoomQuotas,
): number {
  const shares = sharesOfBytes(bytesPerDevice);
  return leftFor(shares, storedBytes + reservedOfApp, others.map(heldBy));
}

function heldBy({ storedBytes, reservedBytes }: AppUse): number {
  return storedBytes + reservedBytes;
}

/**
 * Returns the largest announcement, in bytes, for which `judgeRoom` has room once the device's spare packages have gone; 0
 * if it has none.
 */
export function roomLeft(counts: RoomCounts, quotas: RoomQuotas): number {
  const { reservedOfApp, reservedOfAddress, reservedBytes } = counts;
  const { unfilledPerAddress } = quotas;
  const ofNetworks = counts.reservedOfNetworks.map(
    (reserved, index) => unfilledPerAddress * NETWORK_FACTOR ** (index + 1) - reserved,
  );
  const left = Math.min(
    quotas.bytesPerAddressPerDay - counts.receivedBytes - reservedOfAddress,
    leftInDevice(counts, quotas),
    quotas.unfilledPerApp - reservedOfApp,
    unfilledPerAddress - reservedOfAddress,
    (quotas.roomBytes === "unknown" ? Infinity : quotas.roomBytes) - reservedBytes,
    // Networks are held to their share only while the relay is crowded.
    Math.max(quotas.uncrowdedBytes - reservedBytes, Math.min(...ofNetworks)),
  );
  return Math.max(0, Math.floor(left));
}

/** The use of an app, its device and its address that an announcement is judged by. */
export interface Usage extends RoomCounts {
  /** The app's packages that are committed, not reported, and not expired. */
  readonly waitingPackages: number;
  /** Bytes of the relay's oldest spare packages, which can make room on its disk (rule L12). */
  readonly spareOfRelay: number;
}

/** An app's announcements in the last hour (rule L1). */
export interface HourUsage {
  readonly announcements: number;
  /** Time of the earliest of them; null without one. */
  readonly firstAnnouncedAt: number | null;
}
