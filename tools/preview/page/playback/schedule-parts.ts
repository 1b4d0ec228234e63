import type { PlannedPart } from "./plan-playback.ts";
import { ScheduledPart } from "./scheduled-part.ts";

export interface SceneOptions {
  /** Its context may play or render. */
  readonly destination: AudioNode;
  /** Decoded, by sound id; parts without one, or with a problem, are left out. */
  readonly sounds: ReadonlyMap<string, AudioBuffer>;
  /** When beat 0 is, in the context's time. */
  readonly originSeconds: number;
  /** When the scene started: the same as beat 0 unless its tempo has changed. */
  readonly startSeconds: number;
  /** When parts become audible: the start, or later if the scene resumes. */
  readonly fromSeconds: number;
  readonly isAudible: (soundId: string) => boolean;
}

/** Prepares a plan's parts in sync, by sound id; `scheduleUntil` plays them. */
export function scheduleScene(
  plan: readonly PlannedPart[],
  { destination, sounds, originSeconds, startSeconds, fromSeconds, isAudible }: SceneOptions,
): ReadonlyMap<string, ScheduledPart> {
  return new Map(
    plan.flatMap((part): [string, ScheduledPart][] => {
      const sound = sounds.get(part.soundId);
      if (sound === undefined || part.problem !== null) return [];
      const scheduled = new ScheduledPart({
        destination,
        part,
        sound,
        originSeconds: part.timing === "beats" ? originSeconds : startSeconds,
        fromSeconds,
        isAudible: isAudible(part.soundId),
      });
      return [[part.soundId, scheduled]];
    }),
  );
}
