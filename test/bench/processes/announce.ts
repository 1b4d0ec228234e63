import { mkdir } from "node:fs/promises";
import { RELAY_DEFAULTS } from "../../../core/limits.ts";
import type { PackageRecord } from "../../../relay/domain/ports.ts";
import {
  insert,
  packageOf,
  register,
  roomFor,
} from "../../contracts/relay/records/sample-records.ts";
import { SqliteDatabase } from "../../../relay/storage/sqlite/sqlite-database.ts";
import { timed } from "../bench-result.ts";
import { answerCalls } from "./answer-calls.ts";

const NOW = Date.UTC(2026, 0, 1);
const HOUR_MS = 3_600_000;
const SOUNDS = 8;
const SOUND_BYTES = 1_000_000;
const ADDRESS = "192.0.2.1";
const HOLD_MS = RELAY_DEFAULTS.roomHoldSeconds * 1000;
/** The relay's own limits of packages; of bytes there is enough for all. */
const QUOTAS = {
  packagesPerHour: RELAY_DEFAULTS.packagesPerHour,
  waitingPerDevice: RELAY_DEFAULTS.waitingPackagesPerDevice,
};
/** Apps of a computer, and packages of each: no app reaches its limit of packages per hour. */
const APPS = 4;
const PACKAGES = 10;
/** The number of calls that a busy relay answers at once. */
const CALLERS = 32;
const FILLING_CALLERS = 1000;

const open = new Map<string, SqliteDatabase>();

export const announceCalls = {
  /** Opens a new database with so many announcements of the last hour by the apps of others. */
  open: async ({ folder, earlier }: { readonly folder: string; readonly earlier: number }) => {
    await mkdir(folder);
    const database = await SqliteDatabase.open(folder);
    open.set(folder, database);
    const devices = Math.ceil(earlier / 1000);
    for (let index = 0; index < devices; index += 1) await register(database, `device-${index}`);
    await inParallel(FILLING_CALLERS, earlier, (index) =>
      announce(database, {
        packageId: `earlier_${index}`,
        deviceId: `device-${Math.floor(index / 1000)}`,
        appId: `app-${index % 100}`,
        now: NOW - Math.floor((HOUR_MS * (earlier - index)) / (earlier + 1)),
      }),
    );
  },
  /** Announcements a second by new devices with four apps each, from the address of all others. */
  announce: async ({ folder, count, round }: AnnounceRound) => {
    const database = open.get(folder);
    if (database === undefined) throw new Error(`No database is open in ${folder}.`);
    const deviceOf = (index: number) => `device-${round}-${Math.floor(index / (APPS * PACKAGES))}`;
    for (let index = 0; index < count; index += APPS * PACKAGES) {
      await register(database, deviceOf(index));
    }
    const ms = await timed(() =>
      inParallel(CALLERS, count, (index) =>
        announce(database, {
          packageId: `${round}_${index}`,
          deviceId: deviceOf(index),
          appId: `app-${index % APPS}`,
          // The relay's time never goes back.
          now: NOW + round * count + index,
        }),
      ),
    );
    return (count * 1000) / ms;
  },
  close: async ({ folder }: { readonly folder: string }) => {
    await open.get(folder)?.[Symbol.asyncDispose]();
    open.delete(folder);
  },
};
export type AnnounceCalls = typeof announceCalls;

interface AnnounceRound {
  readonly folder: string;
  readonly count: number;
  readonly round: number;
}

interface Announced extends Pick<PackageRecord, "packageId" | "deviceId" | "appId"> {
  readonly now: number;
}

async function announce(
  records: SqliteDatabase,
  { packageId, deviceId, appId, now }: Announced,
): Promise<void> {
  const record = packageOf(packageId, {
    deviceId,
    appId,
    createdAt: now,
    sizes: Array.from({ length: SOUNDS }, () => SOUND_BYTES),
    room: roomFor(ADDRESS, now + HOLD_MS),
  });
  const { kind } = await insert(records, record, { address: ADDRESS, quotas: QUOTAS });
  if (kind !== "inserted") throw new Error(`${packageId} was answered ${kind}.`);
}

async function inParallel(
  callers: number,
  count: number,
  call: (index: number) => Promise<void>,
): Promise<void> {
  let next = 0;
  const runs = Array.from({ length: callers }, async () => {
    while (next < count) await call(next++);
  });
  await Promise.all(runs);
}

answerCalls(announceCalls);
