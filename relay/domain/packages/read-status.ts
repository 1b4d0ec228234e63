import { expiresAt, isTaken, statusOf } from "../../../core/protocol/package-state.ts";
import type { PackageStatus } from "../../../core/protocol/package-status.ts";
import type { OwnPackage, StatusAnswer } from "../../../core/protocol/public-api.ts";
import { secondsUntil, timeText } from "../../../core/time.ts";
import { findOfPairedApp, findOwnPackage } from "./update-package.ts";
import type { Caller } from "../caller.ts";
import type { Context } from "../context.ts";
import { InterruptibleSleep } from "../upkeep/interruptible-sleep.ts";
import type { KnownApp } from "../pairing/known-tokens.ts";
import type { PackageHead, PackageRecord } from "../ports.ts";

/** The current status (rule S7), as JSON. @throws {Refusal} 404 PACKAGE_UNKNOWN */
export async function readStatus(
  context: Context,
  app: KnownApp,
  packageId: string,
): Promise<string> {
  const record = await findOwnPackage(context, app, packageId);
  return statusJson(record, timesOf(context));
}

/**
 * Resolves with the status, as JSON, once it differs from `known` or can't change any more; after `waitMs` of
 * real time at the latest, or when `stopped` aborts (rule S8). Also looks again every `lookAgainMs` (rule J6).
 * Answers with the present status early when the room for those who wait is needed for others (rule L7).
 * @param known the status the app knows; undefined means the status at the time of the call
 * @throws {Refusal} 404 once the package is deleted, 401 once the token is revoked, 429 or 503 if too many wait
 */
export async function awaitStatus(
  context: Context,
  app: KnownApp,
  packageId: string,
  wait: {
    readonly known: string | undefined;
    readonly waitMs: number;
    readonly caller: Caller;
    readonly stopped: AbortSignal;
  },
): Promise<string> {
  const sleep = new InterruptibleSleep();
  let isOver = wait.waitMs <= 0 || wait.stopped.aborted;
  const stop = () => {
    isOver = true;
    sleep.interrupt();
  };
  using _ = context.admission.take("polls", wait.caller, 1, stop);
  const stopListening = [
    context.notifier.listen(`package:${packageId}`, () => sleep.interrupt()),
    context.notifier.listen(`pairing:${app.pairingId}`, () => sleep.interrupt()),
  ];
  wait.stopped.addEventListener("abort", stop);
  const timer = setTimeout(stop, wait.waitMs);
  try {
    let known = wait.known;
    for (;;) {
      const record = await findOfPairedApp(context, { app, packageId });
      const times = timesOf(context);
      const status = statusOf(record, times.provenNow);
      known ??= status;
      if (status !== known || !mayChange(status) || isOver) return statusJson(record, times);
      await sleep.for(untilNextCheck(record, times.provenNow, context.policy.lookAgainMs));
    }
  } finally {
    clearTimeout(timer);
    wait.stopped.removeEventListener("abort", stop);
    for (const stopOne of stopListening) stopOne();
  }
}

/** What a status depends on besides the record. */
export interface StatusTimes {
  readonly now: number;
  /** Decides whether a package has expired (rule Z6). Default: `now`. */
  readonly provenNow?: number;
  /** How long a lease lasts; one that ends much later holds nothing. */
  readonly leaseMs: number;
}

/** The times for a status of this moment. */
export function timesOf({ clock, policy }: Context): Required<StatusTimes> {
  return { now: clock.now(), provenNow: clock.provenNow(), leaseMs: policy.leaseMs };
}

/** A package's state as the public API describes it (rule S7). */
export function statusAnswer(record: PackageRecord, times: StatusTimes): StatusAnswer {
  const { manifest, results } = record;
  return {
    ...statusHead(record, manifest.title, times),
    files: Object.fromEntries(
      manifest.items.map(({ file }) => [file, record.uploaded.has(file) ? "uploaded" : "missing"]),
    ),
    ...(results !== null && { results }),
  };
}

/** What a status and a list of packages say alike. */
export function statusHead(
  head: Omit<PackageHead, "cursor">,
  title: string,
  times: StatusTimes,
): OwnPackage {
  const { now, provenNow = now, leaseMs } = times;
  const ends = expiresAt(head, provenNow);
  return {
    package_id: head.packageId,
    title,
    status: statusOf(head, provenNow),
    ...(isTaken(head.life, now, leaseMs) && { taken: true }),
    created_at: timeText(head.createdAt),
    expires_at: ends === null ? null : timeText(ends),
    expires_in: ends === null ? null : secondsUntil(ends, now),
  };
}

interface CachedText {
  readonly ends: number | null;
  readonly taken: boolean;
  readonly text: string;
}

const cachedTexts = new WeakMap<PackageRecord, CachedText>();

/**
 * The same as JSON, optimized for polling. Only `expires_in` changes while the record stays the same, unexpired, and
 * taken or not, so the rest of the text is cached with the record.
 */
export function statusJson(record: PackageRecord, times: StatusTimes): string {
  const { now, provenNow = now, leaseMs } = times;
  const ends = expiresAt(record, provenNow);
  const taken = isTaken(record.life, now, leaseMs);
  let cached = cachedTexts.get(record);
  if (cached === undefined || cached.ends !== ends || cached.taken !== taken) {
    const { expires_in: _, ...lasting } = statusAnswer(record, times);
    cached = { ends, taken, text: JSON.stringify(lasting).slice(0, -1) };
    cachedTexts.set(record, cached);
  }
  return `${cached.text},"expires_in":${ends === null ? "null" : secondsUntil(ends, now)}}`;
}

function mayChange(status: PackageStatus): boolean {
  return status === "uploading" || status === "waiting";
}

/** Milliseconds until the package expires or it is time to look again, whichever comes first. */
function untilNextCheck(record: PackageRecord, provenNow: number, lookAgainMs: number): number {
  const expiry = expiresAt(record, provenNow) ?? Infinity;
  return Math.max(1, Math.min(lookAgainMs, expiry - provenNow));
}
