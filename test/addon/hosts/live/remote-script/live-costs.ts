import { LOOP } from "../../../../contracts/host/host-contract.ts";

/** The time that calls of Live might take, in milliseconds. No figures are published; these are on the safe side. */
export const CALL_MS = {
  "Song.create_audio_track": 12,
  "Song.create_scene": 5,
  "ClipSlot.create_audio_clip": 25,
  "Clip.warping=": 3,
  "Clip.add_warp_marker": 1,
  "Clip.remove_warp_marker": 1,
};
export const PLACED_SOUNDS = 32;

/** The plans of that many loops. @param gainDbOf the gain of each, by its index */
export function manyLoops(gainDbOf: (index: number) => number = () => LOOP.gainDb) {
  return Array.from({ length: PLACED_SOUNDS }, (_, index) => ({
    ...LOOP,
    soundId: `s${index}`,
    trackName: `${index} (Looper)`,
    tempoBpm: 120,
    loopEndBeats: 8,
    gainDb: gainDbOf(index),
  }));
}
