import { randomUUID } from "node:crypto";
import { setImmediate as nextTurn } from "node:timers/promises";
import type { HoldOptions, PackageRecord, PackageRecords } from "../../domain/ports.ts";
import type { Engine } from "./engine.ts";
import { endAllLapsed, forgetOld } from "./expiry.ts";
import { findIdempotent, type LapseFirst, readUsage } from "./package-insert.ts";
import type { PackageUpdate } from "./package-changes.ts";
import { listImportable, listOwn } from "./package-pages.ts";
import { countPackages, findManifest, findPackage, listDue } from "./package-reads.ts";
import { columnsOf, newColumnsOf } from "./rows.ts";

/** Maximum number of tries after reservations have lapsed. */
const MAX_TRIES = 4;

/** Packages. */
export function packageRecords(engine: Engine): PackageRecords {
  return {
    insert: async (record, options) => {
      const insert = {
        columns: newColumnsOf(record),
        manifest: JSON.stringify(record.manifest),
        options,
      };
      const lapse = { ...options, confirmedNow: options.confirmedNow ?? options.now };
      return lapsing(engine, lapse, () => engine.change("insertPackage", insert));
    },
    holdRoom: (packageId, options) =>
      lapsing(engine, options, () => engine.change("holdRoom", { packageId, options })),
    update: (record, received, turn) =>
      engine.change("updatePackage", updateOf(record, received, turn)),
    remove: (packageId, version, isWithdrawn = false) =>
      engine.change("removePackage", { packageId, version, isWithdrawn }),
    expire: (now, limit) => engine.change("expirePackages", { now, limit }),
    forgetOld: (now) => forgetOld(engine, now),
    find: async (packageId) => (await engine.read(findPackage(packageId)))?.record,
    findManifest: (packageId) => engine.read(findManifest(packageId)),
    findIdempotent: (owner, key, now) => engine.read(findIdempotent(owner, key, now)),
    listImportable: (deviceId, now, page) => engine.read(listImportable(deviceId, now, page)),
    listOwn: (owner, page) => engine.read(listOwn(owner, page)),
    readUsage: (owner, asked) => engine.read(readUsage(owner, asked)),
    listDue: (now, statusWindowMs, limit) => engine.readSlowly(listDue(now, statusWindowMs, limit)),
    count: (now) =>
      countPackages(now, async (chunk) => {
        await nextTurn();
        return engine.readSlowly(chunk);
      }),
  };
}

/** Makes a change again after lapsed reservations have ended: they are counted, so that counts may refuse too much, but never too little. */
async function lapsing<Outcome extends { readonly kind: string }>(
  engine: Engine,
  { confirmedNow, latestEnd }: Pick<HoldOptions, "confirmedNow" | "latestEnd">,
  act: () => Promise<Outcome | LapseFirst<Outcome>>,
): Promise<Outcome> {
  for (let tried = 1; ; tried++) {
    const outcome = await act();
    if (!isLapseFirst(outcome)) return outcome;
    if (tried === MAX_TRIES) return outcome.refusal;
    await endAllLapsed(engine, { confirmedNow, latestEnd });
  }
}

function isLapseFirst<Outcome extends { readonly kind: string }>(
  outcome: Outcome | LapseFirst<Outcome>,
): outcome is LapseFirst<Outcome> {
  return outcome.kind === "lapse-first";
}

function updateOf(
  record: PackageRecord,
  received: PackageUpdate["received"],
  turn: PackageUpdate["turn"],
): PackageUpdate {
  const { packageId, deviceId, version, manifest, uploaded } = record;
  const sums = manifest.items.filter(({ file }) => uploaded.has(file)).map(({ sha256 }) => sha256);
  const columns = columnsOf(record);
  return { packageId, deviceId, version, columns, sums, changedBy: randomUUID(), received, turn };
}
