import { mkdir } from "node:fs/promises";
import { RELAY_DEFAULTS } from "../../../core/limits.ts";
import type { InsertOptions, PackageRecord } from "../../../relay/domain/ports.ts";
import { SqliteDatabase } from "../../../relay/storage/sqlite/sqlite-database.ts";
import { timed } from "../bench-result.ts";
import { answerCalls } from "./answer-calls.ts";

const NOW = Date.UTC(2026, 0, 1);
const HOUR_MS = 3_600_000;
const SOUNDS = 8;
const SOUND_BYTES = 1_000_000;
const ADDRESS = "192.0.2.1";
const NETWORK = "192.0.2.0/24";
const HOLD_MS = RELAY_DEFAULTS.roomHoldSeconds * 1000;
/** As many as a busy relay answers at once. */
const CALLERS = 32;
const FILLING_CALLERS = 1000;

const open = new Map<string, SqliteDatabase>();

export const announceCalls = {
  /** Opens a new database with one device, and so many announcements of the last hour by the apps of others. */
  open: async ({ folder, earlier }: { readonly folder: string; readonly earlier: number }) => {
    await mkdir(folder);
    const database = await SqliteDatabase.open(folder);
    open.set(folder, database);
    const devices = 1 + Math.ceil(earlier / 1000);
    for (let index = 0; index < devices; index += 1) await register(database, `device-${index}`);
    await inParallel(FILLING_CALLERS, earlier, (index) =>
      announce(database, {
        packageId: `earlier_${index}`,
        deviceId: `device-${1 + Math.floor(index / 1000)}`,
        appId: `app-${index % 100}`,
        now: NOW - Math.floor((HOUR_MS * (earlier - index)) / (earlier + 1)),
      }),
    );
  },
  /** Announcements a second by the first device, from the address of all others. */
  announce: async ({ folder, count, round }: AnnounceRound) => {
    const database = open.get(folder);
    if (database === undefined) throw new Error(`No database is open in ${folder}.`);
    const ms = await timed(() =>
      inParallel(CALLERS, count, (index) =>
        announce(database, {
          packageId: `${round}_${index}`,
          deviceId: "device-0",
          // No app reaches its limit of packages per hour.
          appId: `app-${round}-${Math.floor(index / 10)}`,
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

function register({ pairings }: SqliteDatabase, deviceId: string): Promise<void> {
  const device = { deviceId, deviceName: "Bench", registeredAt: NOW, lastSeenAt: NOW };
  return pairings.insertDevice(device, deviceId);
}

async function announce({ packages }: SqliteDatabase, announced: Announced): Promise<void> {
  const { kind } = await packages.insert(recordOf(announced), optionsAt(announced.now));
  if (kind !== "inserted") throw new Error(`${announced.packageId} was answered ${kind}.`);
}

function recordOf({ now, ...ids }: Announced): PackageRecord {
  const items = Array.from({ length: SOUNDS }, (_, index) => ({
    file: `sound ${index}.wav`,
    bytes: SOUND_BYTES,
    sha256: "ab".repeat(32),
    id: String(index),
    name: `Sound ${index}`,
    kind: "oneshot" as const,
  }));
  return {
    ...ids,
    appName: "Bench",
    createdAt: now,
    manifest: {
      schema: "app2host/1",
      package_id: ids.packageId,
      title: "Bench",
      source: { app: "Bench" },
      items,
    },
    life: {
      uploadEndsAt: now + HOUR_MS,
      committedAt: null,
      waitEndsAt: null,
      outcome: null,
      lease: null,
    },
    uploaded: new Map(),
    results: null,
    filesDeleted: false,
    room: { address: ADDRESS, networks: [NETWORK], until: now + HOLD_MS },
    version: 1,
  };
}

/** The relay's own limit of packages per hour; of bytes there is enough for all. */
function optionsAt(now: number): InsertOptions {
  const { packagesPerHour, waitingPackagesPerDevice: waitingPerDevice } = RELAY_DEFAULTS;
  const room = {
    bytesPerDevice: 1e15,
    bytesPerAddressPerDay: 1e15,
    unfilledPerDevice: 1e15,
    unfilledPerAddress: 1e15,
    uncrowdedBytes: 1e15,
    roomBytes: 1e15,
  };
  const quotas = { packagesPerHour, waitingPerDevice, ...room };
  return { now, address: ADDRESS, idempotency: undefined, quotas };
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
