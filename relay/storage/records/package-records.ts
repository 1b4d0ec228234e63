import { randomUUID } from "node:crypto";
import { setImmediate as nextTurn } from "node:timers/promises";
import { foldCase } from "../../../core/text/fold-case.ts";
import type { PackageRecord, PackageRecords } from "../../domain/ports.ts";
import { batchesOf } from "../../domain/upkeep/batches.ts";
import type { Engine } from "./engine.ts";
import { FORGET_BATCH, FORGOTTEN, type Lapse } from "./expiry.ts";
import { findIdempotent, readHour, readUsage } from "./package-insert.ts";
import type { PackageUpdate } from "./package-changes.ts";
import { listImportable, listOwn } from "./package-pages.ts";
import { countPackages, findManifests, findPackage, listDue } from "./package-reads.ts";
import type { Judged } from "./room.ts";
import { columnsOf, newColumnsOf } from "./rows.ts";

/** Maximum number of tries after reservations have lapsed. */
const MAX_TRIES = 4;

/** Packages. */
export function packageRecords(engine: Engine): PackageRecords {
  return {
    insert: async (record, options) => {
      const insert = {
        columns: newColumnsOf(record),
        foldedTitle: foldCase(record.manifest.title),
        manifest: JSON.stringify(record.manifest),
        options,
      };
      const lapse = { ...options, confirmedNow: options.confirmedNow ?? options.now };
      return lapsing(engine, lapse, () => engine.change("insertPackage", insert));
    },
    holdRoom: (packageId, options) =>
      lapsing(engine, options, () => engine.change("holdRoom", { packageId, options })),
    addFile: (added) => engine.change("addFile", added),
    update: (record) => engine.change("updatePackage", updateOf(record)),
    remove: (packageId, version, isWithdrawn = false) =>
      engine.change("removePackage", { packageId, version, isWithdrawn }),
    noteListed: async (listed) => {
      const noted = Array.from(listed, ([id, at]) => ({ id, at }));
      for (const batch of batchesOf(noted)) await engine.change("noteListed", batch);
    },
    expire: (now, limit) => engine.change("expirePackages", { now, limit }),
    dropSpares: (asked) => engine.change("dropSpares", asked),
    forgetOld: (now) => forgetOld(engine, now),
    find: async (packageId) => (await engine.read(findPackage(packageId)))?.record,
    findManifests: (packageIds, maxCharacters) =>
      engine.read(findManifests(packageIds, maxCharacters)),
    findIdempotent: (owner, key, now) => engine.read(findIdempotent(owner, key, now)),
    list: (of, page) => engine.read("appId" in of ? listOwn(of, page) : listImportable(of, page)),
    readUsage: (owner, asked) => engine.read(readUsage(owner, asked)),
    readHour: (owner, now) => engine.read(readHour(owner, now)),
    listDue: (now, statusWindowMs, limit) => engine.readSlowly(listDue(now, statusWindowMs, limit)),
    count: (now) =>
      countPackages(now, async (chunk) => {
        await nextTurn();
        return engine.readSlowly(chunk);
      }),
  };
}

/** Makes a change again after lapsed reservations have ended: they are counted, so that counts may refuse too much, but never too little. */
async function lapsing<Outcome>(
  engine: Engine,
  { confirmedNow, latestEnd }: Lapse,
  act: () => Promise<Judged<Outcome>>,
): Promise<Outcome> {
  for (let tried = 1; ; tried++) {
    const { outcome, hasLapsed } = await act();
    if (!hasLapsed || tried === MAX_TRIES) return outcome;
    await endAllLapsed(engine, { confirmedNow, latestEnd });
  }
}

function updateOf(record: PackageRecord): PackageUpdate {
  const { packageId, deviceId, version } = record;
  return { packageId, deviceId, version, columns: columnsOf(record), changedBy: randomUUID() };
}

/** Deletes what has expired by `now`. Several processes share the work. */
async function forgetOld(engine: Engine, now: number): Promise<void> {
  await endAllLapsed(engine, { confirmedNow: now });
  for (const what of FORGOTTEN) {
    while ((await engine.change("forget", { what, now })) === FORGET_BATCH);
  }
}

/** Ends every lapsed reservation. */
async function endAllLapsed(engine: Engine, lapse: Lapse): Promise<void> {
  while (await engine.change("endLapsed", lapse));
}
