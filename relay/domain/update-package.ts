import { refusal } from "../../core/protocol/refusal.ts";
import { readableUntil } from "../../core/protocol/package-state.ts";
import type { Context } from "./context.ts";
import type { Owner, PackageRecord } from "./ports.ts";

/**
 * Finds an app's own package.
 * @throws {Refusal} 404 PACKAGE_UNKNOWN, also for another app's and for one past its time (rules U3, S5)
 */
export async function findOwnPackage(
  context: Context,
  owner: Owner,
  packageId: string,
): Promise<PackageRecord> {
  const record = await findPackage(context, owner.deviceId, packageId);
  if (record.appId !== owner.appId) throw refusal("PACKAGE_UNKNOWN");
  return record;
}

/** Finds a package of a device, as its importer sees it. @throws {Refusal} 404 PACKAGE_UNKNOWN */
export async function findPackage(
  context: Context,
  deviceId: string,
  packageId: string,
): Promise<PackageRecord> {
  const record = await context.packages.find(packageId);
  if (
    record === undefined ||
    record.deviceId !== deviceId ||
    context.clock.now() >= readableUntil(record.life, context.policy.statusWindowMs)
  ) {
    throw refusal("PACKAGE_UNKNOWN");
  }
  return record;
}

/**
 * Reads a package, lets `decide` make the next version of it, and writes that only if nobody wrote
 * in between; else reads and decides again. One of two rivals wins; the other sees what the winner did.
 * `decide` gives the record back unchanged where nothing is to be written.
 */
export async function updatePackage(
  context: Context,
  find: () => Promise<PackageRecord>,
  decide: (record: PackageRecord, now: number) => PackageRecord | Promise<PackageRecord>,
): Promise<{ readonly before: PackageRecord; readonly after: PackageRecord }> {
  for (;;) {
    const before = await find();
    const after = await decide(before, context.clock.now());
    if (after === before || (await context.packages.update(after))) return { before, after };
  }
}

/** Tells long-polls of the package, and its device's importer, that it changed. */
export async function notifyPackage(context: Context, record: PackageRecord): Promise<void> {
  await context.notifier.notify(`package:${record.packageId}`, { type: "packages.changed" });
  await context.notifier.notify(`device:${record.deviceId}`, { type: "packages.changed" });
}
