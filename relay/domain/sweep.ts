import { filesEndAt, readableUntil } from "../../core/protocol/package-state.ts";
import { notifyPackage } from "./update-package.ts";
import { type Context, DAY_MS } from "./context.ts";
import { dropPackage } from "./drop-package.ts";
import { noteSeen } from "./unpair.ts";
import { removeDevice } from "./devices.ts";

/** A device that has not been seen for this long is deleted (rule P8). */
const DEVICE_LIFE_MS = 90 * DAY_MS;
const BATCH = 100;

/**
 * Deletes what has expired: files past their window, packages past their status window, unused devices.
 * States never depend on it; they are computed from the clock (rule S4).
 */
export async function sweep(context: Context): Promise<void> {
  await noteSeen(context);
  await sweepPackages(context);
  const now = context.clock.now();
  await context.packages.forgetOld(now);
  for (const deviceId of await context.pairings.listDevicesUnseenSince(now - DEVICE_LIFE_MS)) {
    await removeDevice(context, deviceId);
  }
}

async function sweepPackages(context: Context): Promise<void> {
  const { statusWindowMs } = context.policy;
  for (;;) {
    const now = context.clock.now();
    const due = await context.packages.listDue(now, statusWindowMs, BATCH);
    let progressed = false;
    for (const record of due) {
      if (now >= readableUntil(record.life, statusWindowMs)) {
        if (await dropPackage(context, record)) progressed = true;
      } else if (!record.filesDeleted && now >= filesEndAt(record.life)) {
        const isUpdated = await context.packages.update({ ...record, filesDeleted: true });
        if (!isUpdated) continue;
        progressed = true;
        await context.sounds.delete([...record.uploaded.values()]);
        await notifyPackage(context, record);
      }
    }
    if (!progressed) return;
  }
}

/**
 * Deletes stored sounds that no package refers to, which a crash between store and record leaves behind. Safe
 * only before the relay accepts uploads.
 */
export async function sweepOrphans(context: Context): Promise<number> {
  const orphans: string[] = [];
  for await (const key of context.sounds.keys()) {
    if (!(await context.packages.isSoundKnown(key))) orphans.push(key);
  }
  await context.sounds.delete(orphans);
  return orphans.length;
}
