import { randomUUID } from "node:crypto";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import type { Logger } from "pino";
import { findUnflushable, formatUnflushable } from "../program/flush-folder.ts";
import type { ClosingStack } from "../program/closing-stack.ts";
import { type Context, HOUR_MS, MINUTE_MS } from "./domain/context.ts";
import { keepTime, lookForRoom, watchFullDisk } from "./domain/upkeep/check-health.ts";
import { unpairUnseen } from "./domain/pairing/unpair.ts";
import { scrub, type ScrubOptions } from "./domain/upkeep/scrub.ts";
import { sweep } from "./domain/upkeep/sweep.ts";
import { lookForUnknown } from "./domain/upkeep/quarantine.ts";
import type { LogTrouble } from "./http/trouble-log.ts";

const SWEEP_MS = 30_000;

/** Starts the relay's regular work: sweeping, and looking for changes, room and unknown sounds. */
export async function startUpkeep(
  context: Context,
  {
    log,
    logTrouble,
    closing,
    folder,
    scrubPercent,
  }: {
    readonly log: Logger;
    readonly logTrouble: LogTrouble;
    readonly closing: ClosingStack;
    /** The data folder; undefined if the relay has none. */
    readonly folder: string | undefined;
    readonly scrubPercent: number;
  },
): Promise<void> {
  if (folder !== undefined) await noteFlushing(context, folder);
  await context.operator.refresh();
  closing.defer(applyChanges(context, logTrouble));
  closing.defer(() => keepLastTime(context, log));
  await lookForRoom(context).catch(onFailure(logTrouble, "the look for room failed; retrying"));
  const sweeping = closing.use(
    regularly(
      SWEEP_MS,
      () => meteredSweep(context),
      onFailure(logTrouble, "sweep failed; retrying"),
    ),
  );
  closing.defer(watchFullDisk(context, sweeping.start));
  closing.use(
    regularly(
      HOUR_MS,
      () =>
        unpairUnseen(context, ({ deviceId, pairingId }) =>
          log.info({ device: deviceId, app: pairingId }, "an app that nobody used is unpaired"),
        ),
      onFailure(logTrouble, "unused apps could not be unpaired; retrying"),
    ),
  );
  closing.use(
    regularly(
      HOUR_MS,
      () => lookForUnknown(context),
      onFailure(logTrouble, "the look for unknown sounds failed; retrying"),
    ),
  );
  if (scrubPercent > 0) startScrub(context, { log, logTrouble, closing, scrubPercent });
}

/** Looks every minute whether a scrub is due here (rule Z16). */
function startScrub(
  context: Context,
  {
    log,
    logTrouble,
    closing,
    scrubPercent,
  }: {
    readonly log: Logger;
    readonly logTrouble: LogTrouble;
    readonly closing: ClosingStack;
    readonly scrubPercent: number;
  },
): void {
  const ending = new AbortController();
  const { signal } = ending;
  const options: ScrubOptions = {
    share: scrubPercent / 100,
    holder: randomUUID(),
    signal,
    monotonic: () => performance.now(),
    sleep: (ms) => sleep(ms, undefined, { signal, ref: false }),
    onDiffering: (sound) => logDiffering(log, sound),
  };
  closing.use(
    regularly(
      MINUTE_MS,
      () => scrub(context, options),
      onFailure(logTrouble, "the comparison of stored sounds failed; retrying"),
    ),
  );
  closing.defer(() => ending.abort());
}

type Differing = Parameters<ScrubOptions["onDiffering"]>[0];

const FOUND: Partial<Record<Differing["found"], string>> = {
  lost: "is gone or cut off",
  unreadable: "can't be read: the disk reports an error",
};

function logDiffering(log: Logger, { packageId, key, found }: Differing): void {
  const what = FOUND[found] ?? "is not what its app sent";
  const sentence =
    `The stored sound ${key} ${what}. Its app can send it again while the package waits. Check the disk, and run ` +
    "`soundferry relay check --deep`.";
  log.error({ package: packageId, found }, sentence);
}

/** Notes that a power cut may undo what is confirmed in the data folder (rule Z13). */
async function noteFlushing({ health }: Context, folder: string): Promise<void> {
  const unflushable = await findUnflushable([folder, join(folder, "sounds")]);
  health.note("flushing", unflushable && formatUnflushable(unflushable, "A 200"));
}

async function meteredSweep(context: Context): Promise<void> {
  try {
    await sweep(context);
    context.meter.swept("done");
  } catch (error) {
    context.meter.swept("failed");
    throw error;
  }
}

/** Keeps the time of a relay that stops. If that fails, the time of its last sweep is good enough. */
async function keepLastTime(context: Context, log: Logger): Promise<void> {
  try {
    await keepTime(context);
  } catch (error) {
    log.warn({ err: error }, "the time could not be kept for the next start");
  }
}

/** Clears caches whenever another process may have changed something, and has all listeners look again (rule J7). */
function applyChanges(
  { changes, known, notifier, operator }: Context,
  logTrouble: LogTrouble,
): () => void {
  return changes.watch(() => {
    known.forget();
    // First, so that the listeners see the operator's decisions.
    void operator
      .refresh()
      .catch(onFailure(logTrouble, "the operator's decisions could not be read; retrying"))
      .then(() => notifier.missed());
  });
}

function onFailure(logTrouble: LogTrouble, what: string): (error: unknown) => void {
  return (error) => logTrouble(error, what);
}

/** Acts now, regularly, and when `start` is called, but never twice at a time. Disposing waits for a running act. */
function regularly(
  everyMs: number,
  act: () => Promise<void>,
  failed: (error: unknown) => void,
): AsyncDisposable & { readonly start: () => void } {
  let running: Promise<void> | undefined;
  const start = () => {
    running ??= act()
      .catch(failed)
      .finally(() => (running = undefined));
  };
  start();
  const timer = setInterval(start, everyMs);
  timer.unref();
  return {
    start,
    [Symbol.asyncDispose]: async () => {
      clearInterval(timer);
      await running;
    },
  };
}
