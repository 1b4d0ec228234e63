import { refuseWithdraw } from "../../../core/protocol/package-state.ts";
import { findOwnPackage } from "./update-package.ts";
import type { Context } from "../context.ts";
import type { Owner, PackageRecord } from "../ports.ts";
import { deleteUnused } from "../upkeep/doomed-sounds.ts";

/**
 * Withdraws a package that is not in the host yet (rule S6). Of a concurrent take and withdrawal, one wins.
 * @throws {Refusal} 409 PACKAGE_TAKEN or PACKAGE_IMPORTED, 404 PACKAGE_UNKNOWN
 */
export async function withdraw(context: Context, owner: Owner, packageId: string): Promise<void> {
  for (;;) {
    const record = await findOwnPackage(context, owner, packageId);
    const refused = refuseWithdraw(record.life, context.clock.now(), context.policy.leaseMs);
    if (refused !== undefined) throw refused;
    const doomed = await removeRecord(context, record, true);
    if (doomed !== undefined) return deleteUnused(context, doomed);
  }
}

/**
 * Removes a package's record, and leaves its files to the caller or the sweep. The removal dooms them in the same step:
 * after a crash the sweep deletes them, and there is never a record without its files (rule J2).
 * @param isWithdrawn see `PackageRecords.remove`
 * @returns the doomed keys; undefined if the package changed since it was read: nothing is done
 */
export async function removeRecord(
  context: Context,
  record: PackageRecord,
  isWithdrawn = false,
): Promise<readonly string[] | undefined> {
  const removed = await context.packages.remove(record.packageId, record.version, isWithdrawn);
  if (removed === undefined) return undefined;
  await context.notifier.notify(`package:${record.packageId}`, { type: "packages.changed" });
  if (record.life.committedAt !== null) {
    await context.notifier.notify(`device:${record.deviceId}`, { type: "packages.changed" });
  }
  return removed.doomed;
}
