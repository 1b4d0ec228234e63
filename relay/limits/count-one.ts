import type { CountedIn, Limits, Verdict } from "../domain/ports.ts";

/** Counts an event in one window, and keeps nothing to give it back. */
export async function countOne(limits: Pick<Limits, "take">, counted: CountedIn): Promise<Verdict> {
  const { allowed, remaining, retryAfterSeconds } = await limits.take([counted]);
  return { allowed, remaining, retryAfterSeconds };
}
