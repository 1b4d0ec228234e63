import type { Context } from "./context.ts";
import type { PackageRecord } from "./ports.ts";

/**
 * Removes a package's record, then its files. Returns false and does nothing if the package changed since it
 * was read. The record goes first: a crash in between leaves orphaned files, which the sweeper finds, but
 * never a record without its files.
 */
export async function dropPackage(context: Context, record: PackageRecord): Promise<boolean> {
  if (!(await context.packages.remove(record.packageId, record.version))) return false;
  await context.sounds.delete([...record.uploaded.values()]);
  await context.notifier.notify(`package:${record.packageId}`, { type: "packages.changed" });
  if (record.life.committedAt !== null) {
    await context.notifier.notify(`device:${record.deviceId}`, { type: "packages.changed" });
  }
  return true;
}
