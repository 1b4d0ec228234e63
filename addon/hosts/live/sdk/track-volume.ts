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
/** Smaller differences are inaudible and not reported. */
const TOLERANCE_DB = 0.01;

/** Sets a track's volume to the part of the gain that isn't in the file, clamped to the volume's range. */
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
 * Returns the gain in dB that must go into the samples because Live didn't set the volume (rule H5);
 * undefined where the volume is right or can't be read.
 */
export async function gainLeftOver(sound: LiveSound): Promise<number | undefined> {
  const raw = await readVolume(sound.track);
  const heldDb = raw === undefined ? undefined : gainOfVolume(raw);
  if (heldDb === undefined || isSameGain(heldDb, wantedVolumeDb(sound))) return undefined;
  return roundGain(sound.plan.gainDb - heldDb);
}

/**
 * Describes how a sound got its gain (rule H5). A missing gain is reported as a difference instead.
 * @param heldDb the gain that was read back
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
