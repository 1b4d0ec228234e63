import type { LiveSound } from "./live-sound.ts";
import { readVolume } from "./read-back.ts";
import type { LiveStep } from "./run-in-transaction.ts";
import {
  gainOfVolume,
  isWithinVolumeRange,
  formatGain,
  roundGain,
  VOLUME_RANGE_DB,
  volumeOfGain,
} from "./volume.ts";

const { least, most } = VOLUME_RANGE_DB;
/** Nobody hears a smaller difference, in dB, and none is told. */
const TOLERANCE_DB = 0.01;

/** Has a sound's track play at its gain, as far as that is not in its file and a volume reaches it. */
export function volumeStep(sound: LiveSound): LiveStep {
  return {
    label: `set the volume of ${sound.plan.trackName}`,
    act: () => sound.track.mixer.volume.setValue(volumeOfGain(wantedVolumeDb(sound))),
    refused: (error) => {
      sound.volumeRefusal = error.message;
    },
  };
}

/**
 * The gain in dB that has to go into a sound's samples, because Live did not set the volume (rule
 * H5). undefined where the volume is right, and where Live does not tell how loud the track is.
 */
export async function gainLeftOver(sound: LiveSound): Promise<number | undefined> {
  const raw = await readVolume(sound.track);
  const heldDb = raw === undefined ? undefined : gainOfVolume(raw);
  if (heldDb === undefined || isSameGain(heldDb, wantedVolumeDb(sound))) return undefined;
  return roundGain(sound.plan.gainDb - heldDb);
}

/**
 * How a sound got its gain, in sentences (rule H5); a gain that it did not get is a difference.
 * @param heldDb gain that Live was found to play it with
 */
export function gainNotes({ plan, file, volumeRefusal }: LiveSound, heldDb?: number): string[] {
  if (file.gainDb !== 0) {
    const because = isWithinVolumeRange(plan.gainDb)
      ? "Live couldn't set its track volume"
      : `a track's volume goes from ${least} to +${most} dB`;
    return [
      `A gain of ${formatGain(file.gainDb)} is applied in a copy of its file, because ${because}.`,
    ];
  }
  if (heldDb === undefined) return volumeRefusal === undefined ? [] : [volumeRefusal];
  const isVolume = plan.gainDb !== 0 && isSameGain(heldDb, plan.gainDb);
  return isVolume ? [`Its gain of ${formatGain(plan.gainDb)} is set as track volume.`] : [];
}

function wantedVolumeDb({ plan, file }: LiveSound): number {
  return Math.min(Math.max(plan.gainDb - file.gainDb, least), most);
}

function isSameGain(one: number, other: number): boolean {
  return Math.abs(one - other) <= TOLERANCE_DB;
}
