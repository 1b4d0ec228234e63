import { beatLines } from "../../../core/audio/peaks.ts";
import type { PreviewUsableTrack } from "../../../core/protocol/preview-api.ts";

/** Positions in a clip's picture, as fractions of its width. */
export interface ClipPicture {
  /** The picture's length, in the file's own time. */
  readonly drawnSeconds: number;
  /** Below 1 if the loop is longer than its file; silence follows. */
  readonly fileEnd: number;
  /** Below 1 if the file is longer than its loop; the rest isn't heard. null without a known loop. */
  readonly loopEnd: number | null;
  /** Where beats start, inside the loop. */
  readonly beats: readonly number[];
}

/** Smaller differences are invisible. */
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

/** What a clip's picture depends on. */
export type ClipTimes = Pick<
  PreviewUsableTrack,
  "looping" | "loop_beats" | "tempo_bpm" | "frames" | "sampleRateHz"
>;

/** How long a sound's file plays at its own speed. */
export function fileSecondsOf({
  frames,
  sampleRateHz,
}: Pick<ClipTimes, "frames" | "sampleRateHz">): number {
  return sampleRateHz > 0 ? frames / sampleRateHz : 0;
}

function snap(part: number): number {
  return part > 1 - SAME ? 1 : part;
}
