import { formatNumber } from "../../../../core/text/format-number.ts";
import type { LiveTrack } from "./live-api.ts";
import type { LiveSound } from "./live-sound.ts";
import { numberOf } from "./live-values.ts";
import type { LiveStep } from "./run-in-transaction.ts";

/** The range in dB in which the scale of a track's volume is known; the volume goes lower on an unknown scale. */
const RANGE_DB = { least: -18, most: 6 } as const;

/** The raw value of -18 dB, less the tolerance of a 32-bit float. */
const LEAST_RAW = 0.4 - 1e-6;

/** Returns the raw volume for a gain within the range. */
export function volumeOfGain(gainDb: number): number {
  return (gainDb + 34) / 40;
}

/** Returns the gain in dB, rounded to 0.001, of a raw volume; undefined below the range. */
export function gainOfVolume(raw: number): number | undefined {
  return raw < LEAST_RAW ? undefined : roundGain(40 * raw - 34);
}

export function isWithinVolumeRange(gainDb: number): boolean {
  return gainDb >= RANGE_DB.least && gainDb <= RANGE_DB.most;
}

/** Rounds to 0.001 dB, which removes floating-point differences. */
export function roundGain(gainDb: number): number {
  return Math.round(gainDb * 1000) / 1000;
}

/** Formats a gain, such as `-24 dB` or `+3.5 dB`. */
export function formatGain(gainDb: number): string {
  const sign = gainDb > 0 ? "+" : gainDb < 0 ? "-" : "";
  return `${sign}${formatNumber(Math.abs(gainDb), 2)} dB`;
}

/** The difference up to which gains are equal: it is inaudible and not reported. */
const TOLERANCE_DB = 0.01;

/** Returns the step that sets a track's volume to the gain that isn't in the file, clamped to the known range. */
export function volumeStep(sound: LiveSound): LiveStep {
  return {
    label: `set the volume of ${sound.plan.trackName}`,
    act: () => sound.track.mixer.volume.setValue(volumeOfGain(wantedVolumeDb(sound))),
    refused: ({ message }) => (sound.volumeRefusal = message),
  };
}

/**
 * Returns the gain in dB that must go into the samples because Live didn't set the volume (rule H5);
 * undefined where the volume is right or can't be read.
 */
export async function gainLeftOver(sound: LiveSound): Promise<number | undefined> {
  const heldDb = await readVolumeDb(sound.track);
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
      : `a track's volume goes from ${RANGE_DB.least} to +${RANGE_DB.most} dB`;
    return [
      `A gain of ${formatGain(file.gainDb)} is applied in a copy of its file, because ${because}.`,
    ];
  }
  if (heldDb === undefined) return volumeRefusal === undefined ? [] : [volumeRefusal];
  const isVolume = plan.gainDb !== 0 && isSameGain(heldDb, plan.gainDb);
  return isVolume ? [`Its gain of ${formatGain(plan.gainDb)} is set as track volume.`] : [];
}

/** Returns a track's volume as a gain in dB; undefined where Live can't read it, or below the known range. */
export async function readVolumeDb(track: LiveTrack): Promise<number | undefined> {
  try {
    const raw = numberOf(await track.mixer.volume.getValue());
    return raw === undefined ? undefined : gainOfVolume(raw);
  } catch {
    return undefined;
  }
}

function wantedVolumeDb({ plan, file }: LiveSound): number {
  return Math.min(Math.max(plan.gainDb - file.gainDb, RANGE_DB.least), RANGE_DB.most);
}

function isSameGain(one: number, other: number): boolean {
  return Math.abs(one - other) <= TOLERANCE_DB;
}
