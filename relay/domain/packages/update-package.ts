import { refusal, type Refusal } from "../../../core/protocol/refusal.ts";
import { readableUntil } from "../../../core/protocol/package-state.ts";
import type { Context } from "../context.ts";
import { type Eventual, whenThere } from "../../../core/eventual.ts";
import type { KnownApp } from "../pairing/known-tokens.ts";
import type { ExpiredPackage, Owner, PackageRecord } from "../ports.ts";

/**
 * Finds an app's own package.
 * @throws {Refusal} 404 PACKAGE_UNKNOWN, also for another app's package and an expired one (rules U3, S5)
 */
export function findOwnPackage(
  context: Context,
  owner: Owner,
  packageId: string,
): Eventual<PackageRecord> {
  return findOf(context, owner, packageId);
}

/**
 * Finds an app's own package if the app's token is still valid.
 * @param isFirst true for the first look of a call that hears of revocations already: the token was just looked up
 * @throws {Refusal} 401 TOKEN_UNKNOWN if it was revoked, 403 DEVICE_BLOCKED, 404 PACKAGE_UNKNOWN
 */
export async function findOfPairedApp(
  context: Context,
  { app, packageId }: { readonly app: KnownApp; readonly packageId: string },
  isFirst = false,
): Promise<PackageRecord> {
  const { known } = context;
  const isPaired = (isFirst && known.isJustKnown(app)) || (await known.isStillPaired(app));
  if (!isPaired) throw refusal("TOKEN_UNKNOWN");
  context.operator.admitDevice(app.deviceId);
  return findOwnPackage(context, app, packageId);
}

/** Finds a device's package for its importer. @throws {Refusal} 404 PACKAGE_UNKNOWN */
export function findPackage(
  context: Context,
  deviceId: string,
  packageId: string,
): Eventual<PackageRecord> {
  return findOf(context, { deviceId }, packageId);
}

function findOf(
  context: Context,
  { deviceId, appId }: Partial<Owner>,
  packageId: string,
): Eventual<PackageRecord> {
  return whenThere(context.packages.find(packageId), (record) => {
    if (
      record === undefined ||
      record.deviceId !== deviceId ||
      (appId !== undefined && record.appId !== appId) ||
      context.clock.confirmedNow() >= readableUntil(record.life, context.policy.statusWindowMs)
    ) {
      throw refusal("PACKAGE_UNKNOWN");
    }
    return record;
  });
}

/**
 * Returns the refusal of a package whose files are deleted; undefined if they exist. It can be up to a second early,
 * because another process whose clock is ahead of this one's has swept (rule J3).
 */
export function refuseDeleted({ filesDeleted }: PackageRecord): Refusal | undefined {
  return filesDeleted ? refusal("PACKAGE_EXPIRED") : undefined;
}

/**
 * Updates a package with optimistic concurrency: reads it, lets `decide` return its next version, and writes that only
 * if the stored version is unchanged; otherwise it reads and decides again. Of two concurrent callers one wins, and the
 * other sees the winner's change. `decide` returns the same record when there is nothing to write.
 */
export async function updatePackage(
  context: Context,
  find: () => Eventual<PackageRecord>,
  decide: (record: PackageRecord, now: number) => PackageRecord | Promise<PackageRecord>,
): Promise<{ readonly before: PackageRecord; readonly after: PackageRecord }> {
  for (;;) {
    const before = await find();
    const after = await decide(before, context.clock.now());
    if (after === before) return { before, after };
    if ((await context.packages.update(after)) === "updated") return { before, after };
  }
}

/** Notifies the package's long polls and its device's importer that it changed. */
export async function notifyPackage(context: Context, record: PackageRecord): Promise<void> {
  await context.notifier.notify(`package:${record.packageId}`, { type: "packages.changed" });
  await context.notifier.notify(`device:${record.deviceId}`, { type: "packages.changed" });
}

/** Notifies as `notifyPackage` does that the files of packages are gone. */
export async function notifyExpired(
  { notifier }: Context,
  expired: readonly ExpiredPackage[],
): Promise<void> {
  const changed = { type: "packages.changed" } as const;
  const devices = new Set(expired.map(({ deviceId }) => deviceId));
  for (const { packageId } of expired) await notifier.notify(`package:${packageId}`, changed);
  for (const deviceId of devices) await notifier.notify(`device:${deviceId}`, changed);
}
