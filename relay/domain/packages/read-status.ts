import { expiresAt, isTaken, statusOf } from "../../../core/protocol/package-state.ts";
import type { PackageStatus } from "../../../core/protocol/package-status.ts";
import type { OwnPackage, StatusAnswer } from "../../../core/protocol/public-api.ts";
import { secondsUntil, timeText } from "../../../core/time.ts";
import { findOfPairedApp, findOwnPackage } from "./update-package.ts";
import type { Caller } from "../caller.ts";
import type { Context } from "../context.ts";
import { type Eventual, whenThere } from "../../../core/eventual.ts";
import type { KnownApp } from "../pairing/known-tokens.ts";
import type { PackageHead, PackageRecord } from "../ports.ts";
import { Wait } from "../wait.ts";

/** Returns the current status (rule S7) as JSON. @throws {Refusal} 404 PACKAGE_UNKNOWN */
export function readStatus(context: Context, app: KnownApp, packageId: string): Eventual<string> {
  return whenThere(findOwnPackage(context, app, packageId), (record) =>
    statusJson(record, timesOf(context)),
  );
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
  {
    known: givenStatus,
    waitMs,
    caller,
    stopped,
  }: {
    readonly known: string | undefined;
    readonly waitMs: number;
    readonly caller: Caller;
    readonly stopped: AbortSignal;
  },
): Promise<string> {
  using wait = new Wait(waitMs, stopped);
  if (waitMs <= 0) wait.end();
  using _place = context.admission.take("polls", caller, 1, wait.end);
  const stopListening = [
    context.notifier.listen(`package:${packageId}`, wait.lookAgain),
    context.notifier.listen(`pairing:${app.pairingId}`, wait.lookAgain),
  ];
  try {
    let known = givenStatus;
    for (;;) {
      const record = await findOfPairedApp(context, { app, packageId });
      const times = timesOf(context);
      const status = statusOf(record, times.confirmedNow);
      known ??= status;
      if (status !== known || !mayChange(status) || wait.isOver) return statusJson(record, times);
      await wait.sleep(untilNextCheck(record, times.confirmedNow, context.policy.lookAgainMs));
    }
  } finally {
    for (const stop of stopListening) stop();
  }
}

/** The times that a status depends on, besides the record. */
interface StatusTimes {
  readonly now: number;
  /** Decides whether a package has expired (rule Z6). Default: `now`. */
  readonly confirmedNow?: number;
  /** Length of a lease. One that ends much later holds nothing. */
  readonly leaseMs: number;
}

/** Reads the times for a status of this moment. */
export function timesOf({ clock, policy }: Context): Required<StatusTimes> {
  return { now: clock.now(), confirmedNow: clock.confirmedNow(), leaseMs: policy.leaseMs };
}

/** Describes a package's state as the public API does (rule S7). */
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

/** The members that a status and an entry of a list share. */
export function statusHead(
  head: Omit<PackageHead, "cursor" | "isSeen">,
  title: string,
  times: StatusTimes,
): OwnPackage {
  const { now, confirmedNow = now, leaseMs } = times;
  const ends = expiresAt(head, confirmedNow);
  return {
    package_id: head.packageId,
    title,
    status: statusOf(head, confirmedNow),
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
 * Formats `statusAnswer` as JSON, optimized for polling. Only `expires_in` changes while the record stays the same, unexpired, and
 * taken or not, so the rest of the text is cached with the record.
 */
export function statusJson(record: PackageRecord, times: StatusTimes): string {
  const { now, confirmedNow = now, leaseMs } = times;
  const ends = expiresAt(record, confirmedNow);
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

/** Returns the milliseconds until the package expires or is due for another look, whichever comes first. */
function untilNextCheck(record: PackageRecord, confirmedNow: number, lookAgainMs: number): number {
  const expiry = expiresAt(record, confirmedNow) ?? Infinity;
  return Math.max(1, Math.min(lookAgainMs, expiry - confirmedNow));
}
