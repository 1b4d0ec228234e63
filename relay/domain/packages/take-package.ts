import { isJsonObject } from "../../../core/text/json-object.ts";
import { renewLease, take } from "../../../core/protocol/package-state.ts";
import { isRunId } from "../../../core/protocol/schemas/validate.generated.js";
import { refusal } from "../../../core/protocol/refusal.ts";
import { updatePackage, findPackage, notifyPackage, refuseDeleted } from "./update-package.ts";
import type { Context } from "../context.ts";
import type { PackageRecord } from "../ports.ts";

/** A lease is written again only after a twentieth of its time has passed, not for every MiB. */
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
      return { ...record, life: take(record.life, now, run, context.clock.provenNow()) };
    },
  );
  if (before.life.lease?.runId !== run.runId) await notifyPackage(context, after);
  return after;
}

/** Renews the lease of the run that holds the package, because its download makes progress. */
export async function renewPackageLease(context: Context, packageId: string): Promise<void> {
  const record = await context.packages.find(packageId);
  if (record === undefined || record.filesDeleted) return;
  const { clock, policy } = context;
  const life = renewLease(record.life, clock.now(), policy.leaseMs, clock.provenNow());
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
