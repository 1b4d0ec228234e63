import { beatLines } from "../../../../core/page/peaks.ts";
import type { PreviewUsableTrack } from "../../../../core/protocol/preview-api.ts";

/** Where things stand in a clip's picture, each as a part of its width, from 0 to 1. */
export interface ClipPicture {
  /** How long all of it is, in the file's own time. */
  readonly drawnSeconds: number;
  /** Before 1 where the loop is longer than its file: what follows is silence. */
  readonly fileEnd: number;
  /** Before 1 where the file is longer than its loop: what follows is not heard. null without a known loop. */
  readonly loopEnd: number | null;
  /** Where beats begin, inside the loop. */
  readonly beats: readonly number[];
}

/** What can't be told apart in a picture is drawn as the same. */
const SAME = 0.005;

/** How a clip is drawn: as long as the longer of its file and its loop. */
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

/** What of a track its picture depends on. */
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
