import { filesEndAt, readableUntil } from "../../../core/protocol/package-state.ts";
import { notifyPackage } from "../packages/update-package.ts";
import { type Context, DAY_MS } from "../context.ts";
import { isDeletionHeld, sweepDoomed } from "./doomed-sounds.ts";
import { removeRecord } from "../packages/drop-package.ts";
import { expirePackages } from "../packages/expire-packages.ts";
import { keepTime } from "./keep-time.ts";
import { isFull, lookForRoom } from "../uploads/full-disk.ts";
import { noteTroubles } from "./note-troubles.ts";
import { type PackageRecord, StoreFullError } from "../ports.ts";
import { tryStores } from "./try-stores.ts";
import { noteSeen } from "../pairing/unpair.ts";
import { removeDevice } from "../pairing/devices.ts";

/** A device that has not been seen for this long is deleted (rule P8), and one that was never paired earlier (AD9). */
const DEVICE_LIFE_MS = 90 * DAY_MS;
const UNPAIRED_LIFE_MS = 7 * DAY_MS;
/** How long the log of what an operator did is kept (rule AD2). */
const OPERATOR_LOG_MS = 365 * DAY_MS;
const BATCH = 100;
const STEPS = [
  keepTime,
  noteSeen,
  expirePackages,
  sweepPackages,
  sweepDoomed,
  forgetOld,
  sweepDevices,
  heedOperator,
  lookForRoom,
  tryStores,
  noteTroubles,
];

/**
 * Deletes what has expired: files past their window, packages past their status window, what uploads left
 * behind, unused devices. States never depend on it; they are computed from the clock (rule S4). A step that
 * fails never keeps the others.
 * @throws why a step failed, after the last one; an AggregateError if several did
 */
export async function sweep(context: Context): Promise<void> {
  let failures = await runSteps(context);
  if (failures.some((error) => error instanceof StoreFullError)) {
    // Another sweep may have made room meanwhile.
    if (isFull(context)) await unlinkExpiredFirst(context);
    failures = await runSteps(context);
  }
  if (failures.length > 1) throw new AggregateError(failures, "Several steps of a sweep failed.");
  if (failures.length > 0) throw failures[0];
}

async function runSteps(context: Context): Promise<readonly unknown[]> {
  const failures: unknown[] = [];
  for (const step of STEPS) {
    try {
      await step(context);
    } catch (error) {
      failures.push(error);
    }
  }
  return failures;
}

/**
 * Deletes the files of expired packages before their records say so. Only for a full database, which can't say
 * it: a crash leaves records without their files. A running download has its file open, and ends whole.
 */
export async function unlinkExpiredFirst(context: Context): Promise<void> {
  if (await isDeletionHeld(context)) return;
  const { packages, sounds, policy } = context;
  const now = context.clock.provenNow();
  for (let limit = 10 * BATCH; ; limit *= 2) {
    const due = await packages.listDue(now, policy.statusWindowMs, limit);
    const expired = due.filter((one) => !one.filesDeleted && now >= filesEndAt(one.life));
    // Those before them may have no files, or lost them to an earlier sweep.
    const keys = await sounds.exists(
      expired.flatMap(({ uploaded }) => Array.from(uploaded.values())),
    );
    await sounds.delete([...keys]);
    if (keys.size > 0 || due.length < limit) return;
  }
}

/** Changes of one batch are made at the same time, so that a store can flush them together. */
async function sweepPackages(context: Context): Promise<void> {
  const { statusWindowMs } = context.policy;
  for (;;) {
    const now = context.clock.provenNow();
    const due = await context.packages.listDue(now, statusWindowMs, BATCH);
    const outcomes = await Promise.allSettled(
      due.map((record) => sweepPackage(context, record, now)),
    );
    const failure = outcomes.find(({ status }) => status === "rejected");
    if (failure?.status === "rejected") throw failure.reason;
    if (!outcomes.some((one) => one.status === "fulfilled" && one.value)) return;
  }
}

/** Returns whether it changed something. */
async function sweepPackage(
  context: Context,
  record: PackageRecord,
  now: number,
): Promise<boolean> {
  if (now >= readableUntil(record.life, context.policy.statusWindowMs)) {
    return removeRecord(context, record);
  }
  if (record.filesDeleted || now < filesEndAt(record.life)) return false;
  const outcome = await context.packages.update({ ...record, filesDeleted: true });
  if (outcome === "updated") await notifyPackage(context, record);
  return outcome === "updated";
}

async function forgetOld({ packages, clock }: Context): Promise<void> {
  await packages.forgetOld(clock.provenNow());
}

async function sweepDevices(context: Context): Promise<void> {
  const { pairings, operator } = context;
  const now = context.clock.provenNow();
  const unused = [
    ...(await pairings.listDevicesUnseenSince(now - DEVICE_LIFE_MS)),
    ...(await operator.listNeverPaired(now - UNPAIRED_LIFE_MS)),
  ];
  for (const deviceId of new Set(unused)) await removeDevice(context, deviceId);
}

/** The second line, for a change that was not noticed. */
async function heedOperator({ operator, clock }: Context): Promise<void> {
  await operator.refresh();
  await operator.forgetLog(clock.provenNow() - OPERATOR_LOG_MS);
}
