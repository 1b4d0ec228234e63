import type { Context } from "../context.ts";
import { deleteDoomed } from "../upkeep/doomed-sounds.ts";
import { erasingQuarantined } from "../upkeep/quarantine.ts";
import { partialsOf } from "../uploads/resuming-stores.ts";
import type { PackageRecord } from "../ports.ts";

/** Withdraws a package: removes its record and its files. False if it changed since it was read: nothing is done. */
export async function dropPackage(context: Context, record: PackageRecord): Promise<boolean> {
  const { uploaded, packageId } = record;
  const partials = await partialsOf(context, packageId);
  const keys = [...uploaded.values(), ...Array.from(partials.values(), ({ key }) => key)];
  const remove = () => removeRecord(context, record, true);
  const removed = await erasingQuarantined(context, remove, packageId);
  if (removed && !record.filesDeleted) await deleteDoomed(context, keys);
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
