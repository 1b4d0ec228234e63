import { Refusal, refusal } from "../../../core/protocol/refusal.ts";
import { OWN_REFUSALS } from "../../../core/protocol/refusals.ts";
import { type Context, DAY_MS } from "../context.ts";
import type { FullOf, RoomOutcome } from "../ports.ts";

/** Returns the refusal for a lack of room, with the time after which trying again can help. */
export function refuseRoom({ clock }: Context, outcome: RoomOutcome, now: number): Refusal {
  switch (outcome.kind) {
    case "address-limit": {
      const retryAfterSeconds = secondsWithin(outcome.freeAt - now, DAY_MS);
      return refusal("ADDRESS_BYTES_TOO_MANY", {}, { retryAfterSeconds });
    }
    case "uploads-unfinished": {
      const retryAfterSeconds = secondsWithin(outcome.freeAt - clock.confirmedNow(), DAY_MS);
      const minutes = Math.ceil(retryAfterSeconds / 60);
      return refusal("UPLOADS_UNFINISHED", { minutes }, { retryAfterSeconds });
    }
    case "device-full":
      return refuseFull({ clock }, "DEVICE_FULL", outcome.fullOf);
    case "no-room":
      return refusal("DISK_FULL");
  }
}

/** Returns the refusal that says whose packages fill the room, with the time until the next of them ends (rule L11). */
export function refuseFull(
  { clock }: Pick<Context, "clock">,
  code: "DEVICE_FULL" | "MANY_WAIT",
  fullOf: FullOf | null,
): Refusal {
  // Without any package in the way: the setting is small, or a run holds a spare one.
  if (fullOf === null) return new Refusal(code, "This computer has no room for this package.");
  const retryAfterSeconds = secondsWithin(fullOf.freeAt - clock.confirmedNow(), Infinity);
  const refused = refusal(code, { app: fullOf.appName }, { retryAfterSeconds });
  return fullOf.isCaller ? new Refusal(code, OWN_REFUSALS[code], refused.extras) : refused;
}

/** Whole seconds, at least 1. */
export function secondsWithin(ms: number, maxMs: number): number {
  return Math.max(1, Math.ceil(Math.min(ms, maxMs) / 1000));
}
