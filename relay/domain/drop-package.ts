import type { Context } from "./context.ts";
import { deleteDoomed } from "./doomed-sounds.ts";
import type { PackageRecord } from "./ports.ts";

/**
 * Removes a package's record, then its files. Returns false and does nothing if the package changed since it
 * was read. The record goes first and dooms the files in the same step: after a crash in between, the sweep
 * deletes them, and there is never a record without its files (rule J2).
 */
export async function dropPackage(context: Context, record: PackageRecord): Promise<boolean> {
  if (!(await context.packages.remove(record.packageId, record.version))) return false;
  await context.notifier.notify(`package:${record.packageId}`, { type: "packages.changed" });
  if (record.life.committedAt !== null) {
    await context.notifier.notify(`device:${record.deviceId}`, { type: "packages.changed" });
  }
  if (!record.filesDeleted) await deleteDoomed(context, [...record.uploaded.values()]);
  return true;
}
