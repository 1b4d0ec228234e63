import type { Context } from "./context.ts";
import type { PackageRecord } from "./ports.ts";

/**
 * Removes a package and then its files; false, and nothing done, when it changed since it was read.
 * The files go after the record, so that a crash between leaves orphans that the sweeper finds, never
 * a record without its files.
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
