import { readSamples } from "../read-samples.ts";
import type { ReadAt } from "../read-wav-header-at.ts";
import type { WavHeader } from "../wav-header.ts";
import { type BandLevels, BandMeter } from "./band-levels.ts";
import { chooseBeats } from "./choose-beats.ts";
import { findOnsets } from "./find-onsets.ts";
import { findGridSteps } from "./grid.ts";
import { type Heard, NOTHING_HEARD } from "./heard.ts";
import { isEven, levelsOf, ringsOut, swells } from "./judge-levels.ts";

/** Longer sounds are no loops that listening could find. */
const MOST_SECONDS = 60;
const LEAST_ONSETS = 4;

/**
 * Listens to a WAV: is it a loop or a one-shot, and at what tempo does it play (rule Y10)? Reads it piece by piece; a
 * sound of more than a minute is not read.
 * @throws {RangeError} if the file ends before its header says
 */
export async function listen(readAt: ReadAt, header: WavHeader): Promise<Heard> {
  if (header.frames / header.sampleRateHz > MOST_SECONDS) return NOTHING_HEARD;
  const meter = new BandMeter(header);
  for await (const piece of readSamples(readAt, header)) meter.add(piece);
  return judgeSound(meter.finish());
}

/** Judges a sound by its energy over time. */
export function judgeSound(bands: BandLevels): Heard {
  const { seconds } = bands;
  const onsets = findOnsets(bands);
  const levels = levelsOf(bands);
  if (ringsOut(onsets, levels, seconds) || swells(onsets, levels)) {
    return { ...NOTHING_HEARD, kind: "oneshot", confidence: 0.7 };
  }
  if (onsets.length < LEAST_ONSETS || !isEven(levels)) return NOTHING_HEARD;
  const steps = findGridSteps(onsets, seconds);
  if (steps === null) return NOTHING_HEARD;
  const lengthBeats = chooseBeats(onsets, seconds, steps);
  if (lengthBeats === null) return { ...NOTHING_HEARD, kind: "loop", confidence: 0.6 };
  return { kind: "loop", bpm: (lengthBeats * 60) / seconds, lengthBeats, confidence: 0.65 };
}
