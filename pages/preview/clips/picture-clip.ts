import { beatLines } from "../../../core/audio/peaks.ts";
import type { PreviewUsableTrack } from "../../../core/protocol/preview-api.ts";
import { formatDuration } from "../../../core/text/format-span.ts";
import { formatSetting, formatWarpMode } from "../../../core/text/format-setting.ts";
import { t } from "../../kit/page-language.ts";

/** Positions in a clip's picture, as fractions of its width. */
interface ClipPicture {
  /** The picture's length, in the file's own time. */
  readonly drawnSeconds: number;
  /** End of the file; below 1 if the loop is longer, so that silence follows. */
  readonly fileEnd: number;
  /** End of the loop; below 1 if the file is longer, whose rest isn't heard. null without a known loop. */
  readonly loopEnd: number | null;
  /** Starts of beats inside the loop. */
  readonly beats: readonly number[];
}

/** Difference below which two positions look the same. */
const SAME = 0.005;

/** Plans a clip's picture, as long as the longer of its file and its loop. */
export function pictureClip(track: ClipTimes): ClipPicture {
  const { looping, loop_beats: loopBeats, tempo_bpm: tempoBpm } = track;
  const fileSeconds = fileSecondsOf(track);
  if (!looping || loopBeats === null || tempoBpm === null || fileSeconds === 0) {
    return { drawnSeconds: fileSeconds, fileEnd: 1, loopEnd: null, beats: [] };
  }
  const loopSeconds = (loopBeats * 60) / tempoBpm;
  const drawnSeconds = Math.max(fileSeconds, loopSeconds);
  const loopEnd = snap(loopSeconds / drawnSeconds);
  const beats = beatLines(loopSeconds, tempoBpm).map((part) => part * loopEnd);
  return { drawnSeconds, fileEnd: snap(fileSeconds / drawnSeconds), loopEnd, beats };
}

/** The facts that a clip's picture depends on. */
type ClipTimes = Pick<
  PreviewUsableTrack,
  "looping" | "loop_beats" | "tempo_bpm" | "frames" | "sampleRateHz"
>;

/** Returns the length of a sound's file at its own speed. */
export function fileSecondsOf({
  frames,
  sampleRateHz,
}: Pick<ClipTimes, "frames" | "sampleRateHz">): number {
  return sampleRateHz > 0 ? frames / sampleRateHz : 0;
}

function snap(part: number): number {
  return part > 1 - SAME ? 1 : part;
}

/** Formats a clip's settings as short texts with their names. */
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
