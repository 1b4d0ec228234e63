import { refusal } from "../../core/protocol/refusal.ts";
import { readableUntil } from "../../core/protocol/package-state.ts";
import type { Context } from "./context.ts";
import type { Owner, PackageRecord } from "./ports.ts";

/**
 * Finds an app's own package.
 * @throws {Refusal} 404 PACKAGE_UNKNOWN, also for another app's package and an expired one (rules U3, S5)
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

/** Finds a device's package for its importer. @throws {Refusal} 404 PACKAGE_UNKNOWN */
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
 * Optimistic concurrency: reads a package, lets `decide` return its next version, and writes that only if the
 * stored version is unchanged; otherwise it reads and decides again. Of two concurrent callers one wins, and
 * the other sees the winner's change. `decide` returns the same record when there is nothing to write.
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

/** Notifies the package's long polls and its device's importer that it changed. */
export async function notifyPackage(context: Context, record: PackageRecord): Promise<void> {
  await context.notifier.notify(`package:${record.packageId}`, { type: "packages.changed" });
  await context.notifier.notify(`device:${record.deviceId}`, { type: "packages.changed" });
}
