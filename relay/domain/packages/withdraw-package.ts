import { refuseWithdraw } from "../../../core/protocol/package-state.ts";
import { findOwnPackage } from "./update-package.ts";
import type { Context } from "../context.ts";
import type { Owner, PackageRecord } from "../ports.ts";
import { deleteUnused } from "../upkeep/doomed-sounds.ts";
import { erasingQuarantined } from "../upkeep/quarantine.ts";

/**
 * Withdraws a package that is not in the host yet (rule S6). Of a concurrent take and withdrawal, one wins.
 * @throws {Refusal} 409 PACKAGE_TAKEN or PACKAGE_IMPORTED, 404 PACKAGE_UNKNOWN
 */
export async function withdraw(context: Context, owner: Owner, packageId: string): Promise<void> {
  for (;;) {
    const record = await findOwnPackage(context, owner, packageId);
    const refused = refuseWithdraw(record.life, context.clock.now(), context.policy.leaseMs);
    if (refused !== undefined) throw refused;
    if (await dropPackage(context, record)) return;
  }
}

/** Withdraws a package: removes its record and its files. False if it changed since it was read: nothing is done. */
async function dropPackage(context: Context, record: PackageRecord): Promise<boolean> {
  const { uploaded, packageId } = record;
  const partials = await context.soundKeys.findPartials(packageId);
  const keys = [...uploaded.values(), ...Array.from(partials.values(), ({ key }) => key)];
  const remove = () => removeRecord(context, record, true);
  const removed = await erasingQuarantined(context, remove, packageId);
  if (removed && !record.filesDeleted) await deleteUnused(context, keys);
  return removed;
}

/**
 * Removes a package's record, and leaves its files to the sweep. The removal dooms them in the same step: after
 * a crash the sweep deletes them, and there is never a record without its files (rule J2).
 * @param isWithdrawn see `PackageRecords.remove`
 */
export async function removeRecord(
  context: Context,
  record: PackageRecord,
  isWithdrawn = false,
): Promise<boolean> {
  if (!(await context.packages.remove(record.packageId, record.version, isWithdrawn))) return false;
  await context.notifier.notify(`package:${record.packageId}`, { type: "packages.changed" });
  if (record.life.committedAt !== null) {
    await context.notifier.notify(`device:${record.deviceId}`, { type: "packages.changed" });
  }
  return true;
}
