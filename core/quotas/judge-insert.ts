import {
  judgeAddress,
  judgeSpace,
  type RoomCounts,
  type RoomQuotas,
  type RoomRefusal,
} from "./judge-room.ts";
import { type Filler, findFiller, sharesOfWaiting, waitingLeft } from "./room-shares.ts";

const HOUR_MS = 3_600_000;

/** The quotas of an announcement (rules L1, L2, L4, L11, U6). */
export interface Quotas extends RoomQuotas {
  readonly packagesPerHour: number;
  readonly waitingPerDevice: number;
}

/** The answer stored for an `Idempotency-Key` (rule M9). */
export interface IdempotentAnswer {
  readonly key: string;
  /** SHA-256 of the request body. */
  readonly bodyHash: string;
  /** The JSON of the original answer. */
  readonly answer: string;
  /** The time at which the key expires. */
  readonly endsAt: number;
}

/** The counts of a store for one announcement, made in the transaction that inserts it. */
export interface InsertCounts extends RoomCounts {
  readonly deviceExists: boolean;
  /** The answer stored under the announcement's key, expired or not; undefined without a key. */
  readonly earlier: IdempotentAnswer | undefined;
  /**
   * Time of the app's n-th latest announcement, with n = `packagesPerHour`; undefined if it has made
   * fewer. Withdrawn packages count, refused ones don't.
   */
  readonly nthLatestAt: number | undefined;
  /** The app's packages that are committed, not reported, and not expired. */
  readonly waitingPackages: number;
}

export type InsertVerdict =
  | { readonly kind: "admitted" }
  | { readonly kind: "device-gone" }
  | { readonly kind: "replay"; readonly earlier: IdempotentAnswer }
  | { readonly kind: "hourly-limit"; readonly freeAt: number }
  | { readonly kind: "many-wait"; readonly of: Filler }
  | RoomRefusal;

/**
 * Judges an announcement of `bytes`. The first reason in this order decides: device gone, replay, hourly
 * limit, bytes of the address, too many waiting, device full, no room, room that is reserved (rule L1).
 * @param announcement `confirmedNow` decides whether the earlier answer has expired (rule Z6)
 */
export function judgeInsert(
  counts: InsertCounts,
  quotas: Quotas,
  {
    bytes,
    now,
    confirmedNow = now,
  }: { readonly bytes: number; readonly now: number; readonly confirmedNow?: number },
): InsertVerdict {
  if (!counts.deviceExists) return { kind: "device-gone" };
  const { earlier } = counts;
  if (earlier !== undefined && confirmedNow < earlier.endsAt) return { kind: "replay", earlier };

  const hourlyFreeAt = freeAtOfHour(counts.nthLatestAt, quotas.packagesPerHour, now);
  if (hourlyFreeAt !== undefined) return { kind: "hourly-limit", freeAt: hourlyFreeAt };
  const asked = { bytes };
  const ofAddress = judgeAddress(counts, quotas, asked);
  if (ofAddress !== undefined) return ofAddress;
  const { waitingPerDevice } = quotas;
  if (waitingLeft(waitingPerDevice, counts) <= 0) {
    const waiting = counts.others.map((other) => ({ ...other, held: other.waitingPackages }));
    const of = findFiller(sharesOfWaiting(waitingPerDevice), counts.waitingPackages, waiting);
    return { kind: "many-wait", of };
  }
  return judgeSpace(counts, quotas, asked) ?? { kind: "admitted" };
}

/** Returns the time at which the hour has room for one more; undefined if it has now. */
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
