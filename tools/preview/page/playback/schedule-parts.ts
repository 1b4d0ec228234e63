import type { PlannedPart } from "./plan-playback.ts";
import { ScheduledPart } from "./scheduled-part.ts";

export interface SceneOptions {
  /** What is heard of the scene goes there; its context may play or render. */
  readonly destination: AudioNode;
  /** Decoded, by sound id; parts without one, or with a problem, are left out. */
  readonly sounds: ReadonlyMap<string, AudioBuffer>;
  /** When beat 0 is, in the context's time. */
  readonly originSeconds: number;
  /** When the scene began: the same as beat 0 unless its tempo was changed since. */
  readonly startSeconds: number;
  /** Silence before; the same as the start unless the scene goes on from within. */
  readonly fromSeconds: number;
  readonly isAudible: (soundId: string) => boolean;
}

/** Makes a plan's parts ready to sound, all in step; each sounds as far as `scheduleUntil` is called. By sound id. */
export function scheduleParts(
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
