import { newClipStep } from "./clip-steps.ts";
import type { LiveSound } from "./live-sound.ts";
import { readIfAny, readNumber } from "./live-values.ts";
import { type LiveRun, type LiveStep, runInTransaction } from "./run-in-transaction.ts";

/** An unwarped clip that ends earlier was cut: Live takes its end in another unit. */
const CUT_SECONDS = 0.001;

interface MoreOfClips {
  readonly before?: readonly LiveStep[];
  readonly settled?: (sound: LiveSound) => void;
}

/**
 * Makes the sounds' clips as one undo step. Where Live refuses loop settings, it makes them once more
 * without, as another; what is then not as planned is a difference (rule H4).
 * @param more.before steps of the first undo step
 * @param more.settled called for each sound once it has a clip or failed
 */
export async function makeClips(
  run: LiveRun,
  sounds: readonly LiveSound[],
  { before = [], settled = () => undefined }: MoreOfClips = {},
): Promise<void> {
  const again: LiveSound[] = [];
  const steps = sounds.map((sound) =>
    newClipStep(sound, () => {
      if (sound.error !== undefined && sound.hasLoopSettings) again.push(sound);
      else settled(sound);
    }),
  );
  await runInTransaction(run, [...before, ...steps]);
  for (const sound of again) dropLoopSettings(sound);
  await runInTransaction(
    run,
    again.map((sound) => newClipStep(sound, () => settled(sound))),
  );
}

/** Returns the sounds whose clip Live cut where it was told where to end, so that it is made again untold. */
export function cutSounds(sounds: readonly LiveSound[]): readonly LiveSound[] {
  return sounds.filter((sound) => {
    const { plan, fileSeconds } = sound;
    if (plan.warping || !sound.hasLoopSettings || fileSeconds === undefined) return false;
    const end = readNumber(() => readIfAny(() => sound.clip)?.endMarker);
    return end !== undefined && end < fileSeconds - CUT_SECONDS;
  });
}

export function dropLoopSettings(sound: LiveSound): void {
  sound.error = undefined;
  sound.hasLoopSettings = false;
  sound.notes.push("Live refused to be told where its clip starts and ends.");
}
