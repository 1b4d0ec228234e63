import { isJsonObject } from "../../../core/text/json-object.ts";
import { isTaken, renewLease, report, take } from "../../../core/protocol/package-state.ts";
import { isRunId } from "../../../core/protocol/schemas/validate.generated.js";
import { refusal } from "../../../core/protocol/refusal.ts";
import { findPackage, notifyPackage, refuseDeleted, updatePackage } from "./update-package.ts";
import { type Context, DAY_MS } from "../context.ts";
import type { DeviceRecord, PackageRecord } from "../ports.ts";
import {
  isDismissal,
  type SoundResults,
  statusOfResults,
} from "../../../core/protocol/package-status.ts";
import { areAllKept, fitResults, parseResults } from "../../../core/protocol/parse-results.ts";

/** A lease is looked at and written again only after a twentieth of its time has passed, not for every MiB. */
const RENEWAL_SHARE = 1 / 20;

/**
 * Leases a package to one run while it imports. The same run renews the lease by calling again (rule S2).
 * @throws {Refusal} 409 RUN_ELSEWHERE with the seconds left, PACKAGE_EXPIRED, PACKAGE_NOT_COMMITTED; 422
 * SOUND_DENIED; 404
 */
export async function takePackage(
  context: Context,
  deviceId: string,
  packageId: string,
  request: unknown,
): Promise<PackageRecord> {
  const run = { ...parseTake(request), leaseMs: context.policy.leaseMs };
  const { before, after } = await updatePackage(
    context,
    () => findPackage(context, deviceId, packageId),
    async (record, now) => {
      const refused = refuseDeleted(record);
      if (refused !== undefined) throw refused;
      await context.operator.admitSounds(record.manifest);
      const life = take(record.life, now, run, context.clock.confirmedNow());
      const isRenewed =
        isTaken(record.life, now, run.leaseMs) && record.life.lease.runId === run.runId;
      return { ...record, life, takenAt: isRenewed ? record.takenAt : now };
    },
  );
  if (before.life.lease?.runId !== run.runId) await notifyPackage(context, after);
  return after;
}

/**
 * Returns a function that renews a package's lease while its downloads make progress.
 * @param record the package as it was when the download began: until its lease is due, nothing is read
 */
export function leaseRenewal(
  context: Context,
  { packageId, life }: PackageRecord,
): () => Promise<void> {
  const { clock, policy } = context;
  const pauseMs = policy.leaseMs * RENEWAL_SHARE;
  let dueAt = (life.lease?.endsAt ?? -Infinity) - policy.leaseMs + pauseMs;
  return async () => {
    if (clock.now() < dueAt) return;
    dueAt = clock.now() + pauseMs;
    await renewPackageLease(context, packageId);
  };
}

/** Renews the lease of the run that holds the package, because its download makes progress. */
export async function renewPackageLease(context: Context, packageId: string): Promise<void> {
  const record = await context.packages.find(packageId);
  if (record === undefined || record.filesDeleted) return;
  const { clock, policy } = context;
  const life = renewLease(record.life, clock.now(), policy.leaseMs, clock.confirmedNow());
  const gainedMs = (life.lease?.endsAt ?? 0) - (record.life.lease?.endsAt ?? 0);
  if (gainedMs < policy.leaseMs * RENEWAL_SHARE) return;
  // If a concurrent write wins, it has renewed the lease itself or ended it.
  await context.packages.update({ ...record, life });
}

function parseTake(request: unknown): { readonly runId: string; readonly force: boolean } {
  if (!isJsonObject(request)) return { runId: "", force: false };
  const { run_id: runId, force } = request;
  if (runId === undefined) return { runId: "", force: force === true };
  if (!isRunId(runId)) throw refusal("RUN_ID_WRONG");
  return { runId, force: force === true };
}

/**
 * Stores the importer's report: the package's final state and the result of each sound, shortened where
 * they are too long to store (rules S3, S7, S9), and whether the package is spare from now on (rule L12). A newer report
 * replaces the older one; repeating a report changes nothing.
 * @throws {Refusal} 422 RESULTS_WRONG or SOUND_UNKNOWN, 409 PACKAGE_NOT_COMMITTED, 404
 */
export async function reportResults(
  context: Context,
  device: Pick<DeviceRecord, "deviceId" | "imports">,
  packageId: string,
  request: unknown,
): Promise<PackageRecord> {
  const { before, after } = await updatePackage(
    context,
    () => findPackage(context, device.deviceId, packageId),
    (record, now) => {
      const soundIds = record.manifest.items.map((item) => item.id);
      const results: SoundResults = fitResults(parseResults(request, soundIds));
      const isSpare = isDismissal(results) || areAllKept(request, soundIds);
      const life = report(record.life, statusOfResults(soundIds, results));
      const same =
        record.life.lease === null &&
        record.isSpare === isSpare &&
        JSON.stringify(results) === JSON.stringify(record.results);
      return same ? record : { ...record, life, results, isSpare, reportedAt: now };
    },
  );
  if (after !== before) await notifyPackage(context, after);
  const { outcome, committedAt } = after.life;
  if (before.life.outcome === null && outcome !== null && committedAt !== null) {
    context.meter.imported(outcome, Math.max(0, context.clock.now() - committedAt) / 1000);
  }
  if (outcome === "imported" || outcome === "partial") await noteImport(context, device);
  return after;
}

/**
 * Remembers the day of an import: that is what proves a device (rule L7). A device of which that day or a later one is known
 * needs no more.
 */
async function noteImport(
  { pairings, clock }: Context,
  { deviceId, imports }: Pick<DeviceRecord, "deviceId" | "imports">,
): Promise<void> {
  const day = Math.floor(clock.confirmedNow() / DAY_MS);
  if (imports === undefined || imports.lastDay < day) {
    await pairings.changeDevice(deviceId, { importDay: day });
  }
}
