const HOUR_MS = 3_600_000;

/** What an announcement is checked against (rules L1, L2, L4, U6). */
export interface Quotas {
  readonly packagesPerHour: number;
  readonly waitingPerDevice: number;
  readonly bytesPerDevice: number;
  readonly bytesPerAddressPerDay: number;
  /** Free bytes of the sound store minus the reserve; "unknown" if the store can't tell. */
  readonly roomBytes: number | "unknown";
}

/** The answer stored for an `Idempotency-Key` (rule M9). */
export interface IdempotentAnswer {
  readonly key: string;
  /** SHA-256 of the request body. */
  readonly bodyHash: string;
  /** The JSON of the original answer. */
  readonly answer: string;
  /** When the key expires. */
  readonly endsAt: number;
}

/** What a store counted for one announcement, in the transaction that inserts it. Times and bytes as elsewhere. */
export interface InsertCounts {
  readonly deviceExists: boolean;
  /** The answer stored under the announcement's key, expired or not; undefined without a key. */
  readonly earlier: IdempotentAnswer | undefined;
  /**
   * When the app made its n-th latest announcement, with n = `packagesPerHour`; undefined if it has made
   * fewer. Withdrawn packages count, refused ones don't.
   */
  readonly nthLatestAt: number | undefined;
  /** Bytes that the address announced in the last 24 hours, withdrawn packages included. */
  readonly addressBytes: number;
  /** The device's packages that are committed, not reported, and not expired. */
  readonly waitingPackages: number;
  /** Announced bytes of the device's packages whose files are not due for deletion. */
  readonly deviceBytes: number;
  /** Bytes that packages of all devices may still upload. */
  readonly missingBytes: number;
}

export type InsertVerdict =
  | { readonly kind: "admitted" }
  | { readonly kind: "device-gone" }
  | { readonly kind: "replay"; readonly earlier: IdempotentAnswer }
  | { readonly kind: "hourly-limit"; readonly freeAt: number }
  /** The address must wait until `excessBytes` of what it announced, oldest first, are a day old. */
  | { readonly kind: "address-limit"; readonly excessBytes: number }
  | { readonly kind: "many-wait" | "device-full" | "no-room" };

/**
 * Judges an announcement of `bytes`. The first reason in this order decides: device gone, replay, hourly
 * limit, bytes of the address, too many waiting, device full, no room (rule L1).
 * @param announcement `provenNow` decides whether the earlier answer has expired (rule Z6)
 */
export function judgeInsert(
  counts: InsertCounts,
  quotas: Quotas,
  {
    bytes,
    now,
    provenNow = now,
  }: { readonly bytes: number; readonly now: number; readonly provenNow?: number },
): InsertVerdict {
  if (!counts.deviceExists) return { kind: "device-gone" };
  const { earlier } = counts;
  if (earlier !== undefined && provenNow < earlier.endsAt) return { kind: "replay", earlier };

  const hourlyFreeAt = freeAtOfHour(counts.nthLatestAt, quotas.packagesPerHour, now);
  if (hourlyFreeAt !== undefined) return { kind: "hourly-limit", freeAt: hourlyFreeAt };
  const excessBytes = counts.addressBytes + bytes - quotas.bytesPerAddressPerDay;
  if (excessBytes > 0) return { kind: "address-limit", excessBytes };

  if (counts.waitingPackages >= quotas.waitingPerDevice) return { kind: "many-wait" };
  if (counts.deviceBytes + bytes > quotas.bytesPerDevice) return { kind: "device-full" };
  const { roomBytes } = quotas;
  if (roomBytes !== "unknown" && counts.missingBytes + bytes > roomBytes) {
    return { kind: "no-room" };
  }
  return { kind: "admitted" };
}

/** When the hour has room for one more; undefined if it has now. */
function freeAtOfHour(
  nthLatestAt: number | undefined,
  packagesPerHour: number,
  now: number,
): number | undefined {
  if (packagesPerHour <= 0) return now + HOUR_MS;
  // An announcement a whole window in the future does not count: the clock was set back.
  if (nthLatestAt === undefined || Math.abs(now - nthLatestAt) >= HOUR_MS) return undefined;
  return nthLatestAt + HOUR_MS;
}
