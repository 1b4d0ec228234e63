import type { SessionPlan } from "./layout.ts";

/** Quarter notes in a bar, since those are the beats of a tempo; 4 where no time signature was sent. */
export function beatsPerBar({ timeSignature }: Pick<SessionPlan, "timeSignature">): number {
  const [beats, unit] = timeSignature ?? [4, 4];
  return (beats * 4) / unit;
}
