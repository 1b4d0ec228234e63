import { filesEndAt, readableUntil } from "../../../core/protocol/package-state.ts";
import { type Context, DAY_MS } from "../context.ts";
import { BATCHES_AT_ONCE, deleteDoomed, isDeletionHeld, sweepDoomed } from "./doomed-sounds.ts";
import { removeRecord } from "../packages/withdraw-package.ts";
import { keepTime, lookForRoom, recordProblems, tryStores } from "./check-health.ts";
import { notifyExpired } from "../packages/update-package.ts";
import { type PackageRecord, partsOf, StoreFullError } from "../ports.ts";
import { noteSeen } from "../pairing/unpair.ts";
import { removeDevice } from "../pairing/devices.ts";

/** The time after which an unseen device is deleted (rule P8), and the shorter one for a device without any pairing (AD9). */
const DEVICE_LIFE_MS = 90 * DAY_MS;
const UNPAIRED_LIFE_MS = 7 * DAY_MS;
const BATCH = 100;
/** Number of packages that expire with one flush of the store. */
const EXPIRING_BATCH = 1000;
const IF_USED = { onlyIfUsed: true };
const STEPS: readonly ((context: Context) => Promise<unknown>)[] = [
  (context) => keepTime(context, IF_USED),
  noteSeen,
  noteListed,
  expirePackages,
  sweepPackages,
  sweepDoomed,
  forgetOld,
  sweepDevices,
  applyOperator,
  lookForRoom,
  (context) => tryStores(context, IF_USED),
  recordProblems,
];

/**
 * Deletes what has expired: files past their window, packages past their status window, leftovers of uploads,
 * unused devices. States never depend on it; they are computed from the clock (rule S4). A failed step never
 * prevents the others.
 * @throws the error of a step, after the last one; an AggregateError if several failed
 */
export async function sweep(context: Context): Promise<void> {
  let failures = await runSteps(context);
  if (failures.flatMap(partsOf).some((error) => error instanceof StoreFullError)) {
    // Another sweep may have made room meanwhile.
    if (context.health.isFull) await unlinkExpiredFirst(context);
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
 * Deletes the files of expired packages before their records say so. It is only for a full database, which can't record
 * it: a crash leaves records without their files. A running download has its file open, and is completed.
 */
export async function unlinkExpiredFirst(context: Context): Promise<void> {
  if (await isDeletionHeld(context)) return;
  const { packages, sounds, policy } = context;
  const now = context.clock.confirmedNow();
  for (let limit = 10 * BATCH; ; limit *= 2) {
    const due = await packages.listDue(now, policy.statusWindowMs, limit);
    const expired = due.filter((one) => !one.filesDeleted && now >= filesEndAt(one.life));
    // The packages before them may have no files, or lost them to an earlier sweep.
    const stored = await sounds.sizes(
      expired.flatMap(({ uploaded }) => Array.from(uploaded.values())),
    );
    await sounds.delete([...stored.keys()]);
    if (stored.size > 0 || due.length < limit) return;
  }
}

/** Sweeps packages in batches. The changes of a batch run at the same time, so that a store can flush them together. */
async function sweepPackages(context: Context): Promise<void> {
  const { statusWindowMs } = context.policy;
  for (;;) {
    const now = context.clock.confirmedNow();
    const due = await context.packages.listDue(now, statusWindowMs, BATCH);
    const outcomes = await Promise.allSettled(
      due.map((record) => sweepPackage(context, record, now)),
    );
    const failure = outcomes.find(({ status }) => status === "rejected");
    if (failure?.status === "rejected") throw failure.reason;
    if (!outcomes.some((one) => one.status === "fulfilled" && one.value)) return;
  }
}

/** Removes a package whose status can't be read any more. Returns true if it did. */
async function sweepPackage(
  context: Context,
  record: PackageRecord,
  now: number,
): Promise<boolean> {
  if (now < readableUntil(record.life, context.policy.statusWindowMs)) return false;
  return (await removeRecord(context, record)) !== undefined;
}

/** Notes which packages their importers have listed since the last sweep (rule AD12). */
async function noteListed({ listed, packages }: Context): Promise<void> {
  await listed.store(packages);
}

async function forgetOld({ packages, clock }: Context): Promise<void> {
  await packages.forgetOld(clock.confirmedNow());
}

async function sweepDevices(context: Context): Promise<void> {
  const { pairings } = context;
  const now = context.clock.confirmedNow();
  const unused = [
    ...(await pairings.listDevices({ unseenSince: now - DEVICE_LIFE_MS })),
    ...(await pairings.listDevices({ unseenSince: now - UNPAIRED_LIFE_MS, neverPaired: true })),
  ];
  for (const deviceId of new Set(unused)) await removeDevice(context, deviceId);
}

/** Reads the operator's decisions again, in case a change was not noticed. */
async function applyOperator({ operator }: Context): Promise<void> {
  await operator.refresh();
}

/**
 * Dooms the files of expired packages, a batch at a time. While the next batch expires, the sounds free the room of the
 * last one, which takes less than deleting for good. That goes on beside it, with as many batches as `sweepDoomed` deletes at
 * once; that step deletes the others.
 */
export async function expirePackages(context: Context): Promise<void> {
  const { packages, clock } = context;
  let freeing = Promise.resolve();
  const deleting = new Set<Promise<void>>();
  const free = async (keys: readonly string[]) => {
    await freeRoom(context, keys);
    if (deleting.size === BATCHES_AT_ONCE) return;
    const batch = deleteDoomed(context, keys).finally(() => deleting.delete(batch));
    deleting.add(batch);
  };
  try {
    for (;;) {
      const expired = await packages.expire(clock.confirmedNow(), EXPIRING_BATCH);
      if (expired.length === 0) return;
      await freeing;
      freeing = free(expired.flatMap((each) => each.keys));
      await notifyExpired(context, expired);
    }
  } finally {
    await freeing;
    await Promise.all(deleting);
  }
}

/** Frees room. Never fails: the keys are doomed, and the step that deletes them reports its failures. */
async function freeRoom(context: Context, keys: readonly string[]): Promise<void> {
  try {
    if (!(await isDeletionHeld(context))) await context.sounds.delete(keys, { mayReturn: true });
  } catch {
    // The deleting step tries again.
  }
}
