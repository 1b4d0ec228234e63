import { formatDuration } from "../../../core/text/format-span.ts";
import { formatSetting, formatWarpMode } from "../../../core/text/format-setting.ts";
import type { PreviewUsableTrack } from "../../../core/protocol/preview-api.ts";
import { t } from "../../kit/page-language.ts";
import { fileSecondsOf } from "../clips/picture-clip.ts";

/** A clip's settings as short texts with their names. */
export function formatClip(
  track: PreviewUsableTrack,
): readonly (readonly [name: string, words: string])[] {
  const { warp_mode: warpMode, loop_beats: beats, tempo_bpm: tempoBpm, gain_db: gainDb } = track;
  const gain = ["Gain", formatSetting(t, "gain_db", gainDb)] as const;
  if (!track.looping) {
    return [["Kind", "One-shot"], ["Length", formatDuration(t, fileSecondsOf(track))], gain];
  }
  return [
    ["Warp", warpMode === null ? "No warp" : formatWarpMode(warpMode)],
    ["Length", beats === null ? "beats guessed" : formatSetting(t, "loop_beats", beats)],
    ["Tempo", tempoBpm === null ? "tempo guessed" : formatSetting(t, "tempo_bpm", tempoBpm)],
    gain,
  ];
}
