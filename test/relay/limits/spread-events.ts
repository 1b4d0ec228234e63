import { setTimeout as sleep } from "node:timers/promises";
import type { Limits, Window } from "../../../relay/domain/ports.ts";

/** The time at which an event was allowed: after `from`, before `until`, by this process's monotonic clock. */
export interface AllowedEvent {
  readonly from: number;
  readonly until: number;
}

/**
 * Events of one key, spread over a span and over processes by turns, in bursts around the edges of the window.
 * @returns those that were allowed
 */
export async function spreadEvents(
  processes: readonly Limits[],
  { events, spanMs, window }: { events: number; spanMs: number; window: Window },
): Promise<readonly AllowedEvent[]> {
  const started = performance.now();
  const allowed: AllowedEvent[] = [];
  const moments = Array.from({ length: events }, (_, index) => momentOf(index / events) * spanMs);
  const counting: Promise<void>[] = [];
  const failures: unknown[] = [];
  for (const [index, moment] of moments.entries()) {
    const wait = started + moment - performance.now();
    if (wait > 1) await sleep(wait);
    const limits = processes[index % processes.length];
    if (limits === undefined) throw new Error("There is no process.");
    const from = performance.now();
    const count = async () => {
      const verdict = await limits.take([{ bucket: "codes", key: "device", window }]);
      if (verdict.allowed) allowed.push({ from, until: performance.now() });
    };
    counting.push(count().catch((error: unknown) => void failures.push(error)));
  }
  await Promise.all(counting);
  if (failures.length > 0) throw new Error(`${failures.length} failed.`, { cause: failures[0] });
  return allowed.sort((one, other) => one.from - other.from);
}

/** Six times many events and then none: faster than evenly, then a pause. From 0 to 1. */
function momentOf(share: number): number {
  return (share + Math.floor(share * 6) / 6) / (1 + 5 / 6);
}

/** The most events that are certain to have been allowed within one window. */
export function mostWithin(allowed: readonly AllowedEvent[], windowMs: number): number {
  let most = 0;
  for (const { from } of allowed) {
    const within = allowed.filter((event) => event.from >= from && event.until < from + windowMs);
    most = Math.max(most, within.length);
  }
  return most;
}
