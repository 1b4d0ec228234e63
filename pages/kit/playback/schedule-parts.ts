import type { PlannedPart } from "./plan-playback.ts";
import { type PartSound, ScheduledPart } from "./scheduled-part.ts";

/** What the parts of a scene are played from, by sound id. */
export interface SceneSounds {
  /** Decoded; parts without one are left out. */
  readonly sounds: ReadonlyMap<string, AudioBuffer>;
  /** One cycle at the scene's tempo, of parts with a `method`. */
  readonly warped: ReadonlyMap<string, AudioBuffer>;
  /** Parts with a `method` that can't be warped here: their pitch follows the tempo. Others wait for their cycle. */
  readonly repitched: ReadonlySet<string>;
}

export interface SceneOptions extends SceneSounds {
  /** Its context may play or render. */
  readonly destination: AudioNode;
  /** When beat 0 is, in the context's time. */
  readonly originSeconds: number;
  /** When the scene started: the same as beat 0 unless its tempo has changed. */
  readonly startSeconds: number;
  /** When parts become audible: the start, or later if the scene resumes. */
  readonly fromSeconds: number;
  readonly isAudible: (soundId: string) => boolean;
}

/** null if the part can't be played, or not yet. */
export function partSound(
  { soundId, problem, rate, method }: PlannedPart,
  { sounds, warped, repitched }: SceneSounds,
): PartSound | null {
  const [sound, cycle] = [sounds.get(soundId), warped.get(soundId)];
  if (sound === undefined || problem !== null) return null;
  if (method === null || repitched.has(soundId)) return { sound, soundRate: rate };
  return cycle === undefined ? null : { sound: cycle, soundRate: 1 };
}

/** Prepares a plan's parts in sync, by sound id; `scheduleUntil` plays them. */
export function scheduleScene(
  plan: readonly PlannedPart[],
  options: SceneOptions,
): ReadonlyMap<string, ScheduledPart> {
  const { destination, originSeconds, startSeconds, fromSeconds, isAudible } = options;
  return new Map(
    plan.flatMap((part): [string, ScheduledPart][] => {
      const playedFrom = partSound(part, options);
      if (playedFrom === null) return [];
      const scheduled = new ScheduledPart({
        ...playedFrom,
        destination,
        part,
        originSeconds: part.timing === "beats" ? originSeconds : startSeconds,
        fromSeconds,
        isAudible: isAudible(part.soundId),
      });
      return [[part.soundId, scheduled]];
    }),
  );
}
