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
