import { filesEndAt, readableUntil } from "../../core/protocol/package-state.ts";
import { notifyPackage } from "./update-package.ts";
import { type Context, DAY_MS } from "./context.ts";
import { sweepDoomed } from "./doomed-sounds.ts";
import { dropPackage } from "./drop-package.ts";
import { noteSeen } from "./unpair.ts";
import { removeDevice } from "./devices.ts";

/** A device that has not been seen for this long is deleted (rule P8). */
const DEVICE_LIFE_MS = 90 * DAY_MS;
const BATCH = 100;
const STEPS = [noteSeen, sweepPackages, sweepDoomed, forgetOld, sweepDevices];

/**
 * Deletes what has expired: files past their window, packages past their status window, what uploads left
 * behind, unused devices. States never depend on it; they are computed from the clock (rule S4). A step that
 * fails never keeps the others.
 * @throws why a step failed, after the last one; an AggregateError if several did
 */
export async function sweep(context: Context): Promise<void> {
  const failures: unknown[] = [];
  for (const step of STEPS) {
    try {
      await step(context);
    } catch (error) {
      failures.push(error);
    }
  }
  if (failures.length > 1) throw new AggregateError(failures, "Several steps of a sweep failed.");
  if (failures.length > 0) throw failures[0];
}

/** Files that are due become doomed here; the next step deletes them. */
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
        const outcome = await context.packages.update({ ...record, filesDeleted: true });
        if (outcome !== "updated") continue;
        progressed = true;
        await notifyPackage(context, record);
      }
    }
    if (!progressed) return;
  }
}

async function forgetOld({ packages, clock }: Context): Promise<void> {
  await packages.forgetOld(clock.now());
}

async function sweepDevices(context: Context): Promise<void> {
  const unseenSince = context.clock.now() - DEVICE_LIFE_MS;
  for (const deviceId of await context.pairings.listDevicesUnseenSince(unseenSince)) {
    await removeDevice(context, deviceId);
  }
}
