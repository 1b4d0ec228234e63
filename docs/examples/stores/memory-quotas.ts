import { filesEndAt, judgeInsert, judgeRoom } from "../../../relay/index.ts";
import type {
  HeldRoom,
  HoldOptions,
  HoldOutcome,
  InsertOptions,
  InsertOutcome,
  Owner,
  PackageRecord,
  RoomCounts,
  RoomOutcome,
  RoomRefusal,
  Usage,
  UsageAsked,
} from "../../../relay/index.ts";
import type { MemoryDatabase } from "./memory-database.ts";

const HOUR_MS = 3_600_000;
export const DAY_MS = 24 * HOUR_MS;

/** The request for room: its sender and its time. */
interface Asking extends Pick<HeldRoom, "address" | "networks"> {
  readonly deviceId: string;
  readonly now: number;
  readonly confirmedNow: number;
  readonly latestEnd: number;
}

/** Counts what the quotas are about, and has the relay's own function judge the counts (rule J5). */
export function judgeAnnouncement(
  tables: MemoryDatabase,
  record: PackageRecord,
  { now, confirmedNow = now, latestEnd = Infinity, ...options }: InsertOptions,
): InsertOutcome {
  const { devices, answers } = tables;
  const { quotas, address, idempotency } = options;
  const { deviceId, appId } = record;
  const ofApp = announcementsOf(tables, { deviceId, appId }, now);
  const networks = record.room?.networks ?? [];
  const asking = { deviceId, address, networks, now, confirmedNow, latestEnd };

  const verdict = judgeInsert(
    {
      deviceExists: devices.has(deviceId),
      earlier: idempotency && answers.get(answerKey(record, idempotency.key))?.answer,
      nthLatestAt: ofApp.at(-quotas.packagesPerHour)?.at,
      waitingPackages: countWaiting(tables, deviceId, confirmedNow),
      ...countRoom(tables, asking),
    },
    quotas,
    { bytes: bytesOf(record), now, confirmedNow },
  );
  if (verdict.kind === "admitted") return { kind: "inserted" };
  const isTimed = verdict.kind === "address-limit" || verdict.kind === "uploads-unfinished";
  return isTimed ? withTime(tables, asking, verdict) : verdict;
}

/** Counts the usage by which an announcement of this app would be judged. */
export function usageOf(
  tables: MemoryDatabase,
  owner: Owner,
  { address, networks, now }: UsageAsked,
): Usage {
  const { deviceId } = owner;
  const asking = { deviceId, address, networks, now, confirmedNow: now, latestEnd: Infinity };
  const ofHour = announcementsOf(tables, owner, now).filter(({ at }) => at > now - HOUR_MS);
  return {
    ...countRoom(tables, asking),
    waitingPackages: countWaiting(tables, deviceId, now),
    announcements: ofHour.length,
    firstAnnouncedAt: ofHour[0]?.at ?? null,
  };
}

/** Sorted: after a clock was set back, they aren't in the order of time. One a whole window ahead doesn't count. */
function announcementsOf({ announcements }: MemoryDatabase, owner: Owner, now: number) {
  return announcements
    .toSorted((a, b) => a.at - b.at)
    .filter(({ deviceId, appId }) => deviceId === owner.deviceId && appId === owner.appId)
    .filter(({ at }) => at < now + HOUR_MS);
}

function countWaiting(tables: MemoryDatabase, deviceId: string, confirmedNow: number): number {
  return livePackages(tables, confirmedNow)
    .filter((other) => other.deviceId === deviceId)
    .filter(({ life }) => life.committedAt !== null && life.outcome === null).length;
}

/** Judges an upload that asks for its package's room, or keeps it. */
export function judgeUpload(
  tables: MemoryDatabase,
  record: PackageRecord,
  { now, confirmedNow, latestEnd = Infinity, quotas, room, replacedBytes }: HoldOptions,
): HoldOutcome {
  const bytes = missingBytesOf(record);
  const { deviceId, packageId } = record;
  const { address, networks } = room;
  const asking = { deviceId, address, networks, now, confirmedNow, latestEnd };
  const isOwn = record.room?.address === address && holds(record, asking);
  if (replacedBytes === 0 && (isOwn || bytes === 0)) return { kind: "held" };
  const counts = countRoom(tables, asking, packageId);
  // Its partials are stored already.
  const lackedBytes = bytes - partialBytesOf(tables, record);
  const refused = judgeRoom(counts, quotas, { bytes: lackedBytes, replacedBytes });
  return refused === undefined ? { kind: "held" } : withTime(tables, asking, refused);
}

/** Sums what a store for real use must keep as counters (rule J4). */
function countRoom(tables: MemoryDatabase, asking: Asking, exceptId?: string): RoomCounts {
  const { deviceId, address, networks, now, confirmedNow } = asking;
  const live = livePackages(tables, confirmedNow);
  const holding = live.filter((record) => record.packageId !== exceptId && holds(record, asking));
  const reserved = (matches: (record: PackageRecord) => boolean) =>
    sum(holding.filter(matches).map(missingBytesOf));
  const ofDevice = live.filter((record) => record.deviceId === deviceId);
  return {
    receivedBytes: sum(receivedFrom(tables, address, now).map(({ bytes }) => bytes)),
    storedBytes:
      sum(ofDevice.map((record) => bytesOf(record) - missingBytesOf(record))) +
      sum(
        ofDevice
          .filter((record) => !holding.includes(record))
          .map((record) => partialBytesOf(tables, record)),
      ),
    reservedOfDevice: reserved((record) => record.deviceId === deviceId),
    reservedOfAddress: reserved(({ room }) => room?.address === address),
    reservedOfNetworks: networks.map((network) =>
      reserved(({ room }) => room?.networks.includes(network) === true),
    ),
    reservedBytes: reserved(() => true),
  };
}

/** A refusal with the time when trying again can help. */
function withTime(tables: MemoryDatabase, asking: Asking, refused: RoomRefusal): RoomOutcome {
  const { deviceId, address, now, confirmedNow } = asking;
  if (refused.kind === "address-limit") {
    let excess = refused.excessBytes;
    const received = receivedFrom(tables, address, now);
    const lastToLeave = received.find(({ bytes }) => (excess -= bytes) <= 0);
    return { kind: "address-limit", freeAt: (lastToLeave?.at ?? now) + DAY_MS };
  }
  if (refused.kind !== "uploads-unfinished") return refused;
  const { of } = refused;
  const lapses = livePackages(tables, confirmedNow)
    .filter((record) => holds(record, asking))
    .filter((record) => of !== "device" || record.deviceId === deviceId)
    .filter(({ room }) => of !== "address" || room?.address === address)
    .flatMap(({ room }) => (room === null ? [] : [room.until]));
  return {
    kind: "uploads-unfinished",
    freeAt: lapses.length === 0 ? confirmedNow : Math.min(...lapses),
  };
}

/** Checks whether a package's room has not lapsed. */
function holds({ room }: PackageRecord, { confirmedNow, latestEnd }: Asking): boolean {
  return room !== null && confirmedNow < room.until && room.until <= latestEnd;
}

/** Lists the receipts from an address within a day of `now`, oldest first. */
function receivedFrom({ received }: MemoryDatabase, address: string, now: number) {
  return received
    .filter((one) => one.address === address && Math.abs(now - one.at) < DAY_MS)
    .toSorted((a, b) => a.at - b.at);
}

/** Packages whose files are not due for deletion. */
function livePackages({ packages }: MemoryDatabase, confirmedNow: number): PackageRecord[] {
  return [...packages.values()].filter(
    ({ life, filesDeleted }) => !filesDeleted && confirmedNow < filesEndAt(life),
  );
}

function bytesOf({ manifest }: PackageRecord): number {
  return sum(manifest.items.map(({ bytes }) => bytes));
}

/** Bytes that a package lacks. */
export function missingBytesOf({ manifest, uploaded }: PackageRecord): number {
  const missing = manifest.items.filter(({ file }) => !uploaded.has(file));
  return sum(missing.map(({ bytes }) => bytes));
}

/** Bytes of files that are sent in several calls, as far as they came. */
function partialBytesOf({ partials }: MemoryDatabase, { packageId }: PackageRecord): number {
  return sum(Array.from(partials.get(packageId)?.values() ?? [], ({ storedBytes }) => storedBytes));
}

export function answerKey({ deviceId, appId }: Owner, key: string): string {
  return JSON.stringify([deviceId, appId, key]);
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, each) => total + each, 0);
}
