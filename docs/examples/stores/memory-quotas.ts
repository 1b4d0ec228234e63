import { filesEndAt, judgeInsert, judgeRoom } from "../../../relay/index.ts";
import type {
  AppUse,
  Filler,
  FullOf,
  HeldRoom,
  HoldOptions,
  HoldOutcome,
  HourUsage,
  InsertOptions,
  InsertOutcome,
  Owner,
  PackageRecord,
  RoomCounts,
  RoomOutcome,
  RoomRefusal,
  SparesAsked,
  Usage,
  UsageAsked,
} from "../../../relay/index.ts";
import type { MemoryDatabase } from "./memory-database.ts";

const HOUR_MS = 3_600_000;
export const DAY_MS = 24 * HOUR_MS;

/** The request for room: its sender and its time. */
interface Asking extends Pick<HeldRoom, "address" | "networks">, Owner {
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
  const asking = { deviceId, appId, address, networks, now, confirmedNow, latestEnd };

  const verdict = judgeInsert(
    {
      deviceExists: devices.has(deviceId),
      earlier: idempotency && answers.get(answerKey(record, idempotency.key))?.answer,
      nthLatestAt: ofApp.at(-quotas.packagesPerHour)?.at,
      ...countRoom(tables, asking),
    },
    quotas,
    { bytes: bytesOf(record), now, confirmedNow },
  );
  switch (verdict.kind) {
    case "admitted":
      return { kind: "inserted" };
    case "many-wait":
      return { kind: "many-wait", fullOf: fullOf(tables, asking, verdict.of, isWaiting) };
    case "address-limit":
    case "uploads-unfinished":
    case "device-full":
    case "no-room":
      return withTime(tables, asking, verdict);
    case "device-gone":
    case "replay":
    case "hourly-limit":
      return verdict;
  }
}

/** Counts the usage by which an announcement of this app would be judged. */
export function usageOf(
  tables: MemoryDatabase,
  owner: Owner,
  { address, networks, now }: UsageAsked,
): Usage {
  const asking = { ...owner, address, networks, now, confirmedNow: now, latestEnd: Infinity };
  return {
    ...countRoom(tables, asking),
    spareOfRelay: sum(sparesIn(tables, { now }).map(bytesOf)),
  };
}

/** Counts an app's announcements in the last hour. */
export function hourOf(tables: MemoryDatabase, owner: Owner, now: number): HourUsage {
  const ofHour = announcementsOf(tables, owner, now).filter(({ at }) => at > now - HOUR_MS);
  return { announcements: ofHour.length, firstAnnouncedAt: ofHour[0]?.at ?? null };
}

/** Sorted: after a clock was set back, they aren't in the order of time. One a whole window ahead doesn't count. */
function announcementsOf({ announcements }: MemoryDatabase, owner: Owner, now: number) {
  return announcements
    .toSorted((a, b) => a.at - b.at)
    .filter(({ deviceId, appId }) => deviceId === owner.deviceId && appId === owner.appId)
    .filter(({ at }) => at < now + HOUR_MS);
}

function isWaiting({ life }: PackageRecord): boolean {
  return life.committedAt !== null && life.outcome === null;
}

/** Lists spare packages with files that no run holds, those of a device or all, in the order of their commits. */
export function sparesIn(
  { packages }: MemoryDatabase,
  { deviceId, now }: Pick<SparesAsked, "deviceId" | "now">,
): PackageRecord[] {
  return [...packages.values()]
    .filter((record) => record.isSpare && !record.filesDeleted)
    .filter((record) => deviceId === undefined || record.deviceId === deviceId)
    .filter(({ life }) => (life.lease?.endsAt ?? 0) <= now)
    .toSorted((a, b) => (a.life.committedAt ?? 0) - (b.life.committedAt ?? 0));
}

/** Judges an upload that asks for its package's room, or keeps it. */
export function judgeUpload(
  tables: MemoryDatabase,
  record: PackageRecord,
  { now, confirmedNow, latestEnd = Infinity, quotas, room, replacedBytes }: HoldOptions,
): HoldOutcome {
  const bytes = missingBytesOf(record);
  const { deviceId, appId, packageId } = record;
  const { address, networks } = room;
  const asking = { deviceId, appId, address, networks, now, confirmedNow, latestEnd };
  const isOwn = record.room?.address === address && holds(record, asking);
  if (replacedBytes === 0 && (isOwn || bytes === 0)) return { kind: "held" };
  const counts = countRoom(tables, asking, packageId);
  // Its partials are stored already.
  const lackedBytes = bytes - partialBytesOf(tables, record);
  const refused = judgeRoom(counts, quotas, { bytes: lackedBytes, replacedBytes });
  return refused === undefined ? { kind: "held" } : withTime(tables, asking, refused);
}

/** Sums what a store for real use must keep as counters (rule J4). */
function countRoom(
  tables: MemoryDatabase,
  asking: Asking,
  exceptId?: string,
): RoomCounts & Pick<AppUse, "waitingPackages"> {
  const { deviceId, appId, address, networks, now, confirmedNow } = asking;
  const live = livePackages(tables, confirmedNow);
  const holding = live.filter((record) => record.packageId !== exceptId && holds(record, asking));
  const reserved = (matches: (record: PackageRecord) => boolean) =>
    sum(holding.filter(matches).map(missingBytesOf));
  const ofDevice = live.filter((record) => record.deviceId === deviceId);
  const useOf = (ofApp: string): AppUse => {
    const own = ofDevice.filter((record) => record.appId === ofApp);
    const stored = own
      .filter(({ isSpare }) => !isSpare)
      .map((record) => bytesOf(record) - missingBytesOf(record));
    const partial = own
      .filter((record) => !holding.includes(record))
      .map((record) => partialBytesOf(tables, record));
    return {
      appId: ofApp,
      storedBytes: sum([...stored, ...partial]),
      reservedBytes: sum(holding.filter((record) => own.includes(record)).map(missingBytesOf)),
      waitingPackages: own.filter(isWaiting).length,
    };
  };
  const { storedBytes, reservedBytes: reservedOfApp, waitingPackages } = useOf(appId);
  const others = new Set(ofDevice.map((record) => record.appId).filter((id) => id !== appId));
  return {
    receivedBytes: sum(receivedFrom(tables, address, now).map(({ bytes }) => bytes)),
    waitingPackages,
    storedBytes,
    reservedOfApp,
    others: Array.from(others, useOf),
    spareBytes: sum(ofDevice.filter(({ isSpare }) => isSpare).map(bytesOf)),
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
  const { kind, frees } = refused;
  const freeable = frees && { frees };
  if (kind === "no-room") return { kind, ...freeable };
  if (kind === "device-full") {
    return { kind, fullOf: fullOf(tables, asking, refused.of, () => true), ...freeable };
  }
  const { of } = refused;
  const lapses = livePackages(tables, confirmedNow)
    .filter((record) => holds(record, asking))
    .filter((record) => !["app", "device"].includes(of) || record.deviceId === deviceId)
    .filter((record) => of !== "app" || record.appId === asking.appId)
    .filter(({ room }) => of !== "address" || room?.address === address)
    .flatMap(({ room }) => (room === null ? [] : [room.until]));
  return {
    kind,
    freeAt: lapses.length === 0 ? confirmedNow : Math.min(...lapses),
    ...freeable,
  };
}

/** Finds the app that fills a device's room, and the next of its packages to end. */
function fullOf(
  tables: MemoryDatabase,
  { deviceId, appId: caller, confirmedNow }: Asking,
  filler: Filler,
  counts: (record: PackageRecord) => boolean,
): FullOf | null {
  if (filler === "nobody") return null;
  const isCaller = filler === "caller";
  const appId = isCaller ? caller : filler.appId;
  const [next] = livePackages(tables, confirmedNow)
    .filter((record) => record.deviceId === deviceId && record.appId === appId)
    .filter((record) => !record.isSpare && counts(record))
    .toSorted((a, b) => filesEndAt(a.life) - filesEndAt(b.life));
  return next === undefined
    ? null
    : { appName: next.appName, isCaller, freeAt: filesEndAt(next.life) };
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

export function bytesOf({ manifest }: Pick<PackageRecord, "manifest">): number {
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
