import { beatAt, secondsAt, type WarpMarker } from "../../../../../core/layout/warp-markers.ts";
import type { LiveHabits } from "./live-habits.ts";
import type { ClipPoints, SetClip } from "./live-set.ts";

/** The last marker is hidden, so far behind the last visible one. */
const HIDDEN_BEATS = 1 / 64;

/** The visible markers of a file: from where Live hears its first beat, bent in the middle where it drifts. */
export function heardMarkers(
  fileSeconds: number,
  heardBpm: number,
  { warpedStart, driftBeats }: Pick<LiveHabits, "warpedStart" | "driftBeats">,
): readonly WarpMarker[] {
  const start = Math.min(warpedStart, fileSeconds / 2);
  const first = { seconds: start, beats: 0 };
  if (driftBeats === 0) return [first];
  const beats = ((fileSeconds - start) * heardBpm) / 60;
  return [
    first,
    { seconds: (start + fileSeconds) / 2, beats: beats / 2 + driftBeats },
    { seconds: fileSeconds, beats },
  ];
}

/** All markers, with the hidden last one. */
export function allMarkers({
  markers,
  heardBpm,
}: Pick<SetClip, "markers" | "heardBpm">): readonly WarpMarker[] {
  const { seconds, beats } = markers.at(-1) ?? { seconds: 0, beats: 0 };
  const hidden = {
    seconds: seconds + (60 * HIDDEN_BEATS) / heardBpm,
    beats: beats + HIDDEN_BEATS,
  };
  return [...markers, hidden];
}

/** The points in the other unit. */
export function inBeats(points: ClipPoints, markers: readonly WarpMarker[]): ClipPoints {
  return mapPoints(points, (seconds) => beatAt(markers, seconds));
}

export function inSeconds(points: ClipPoints, markers: readonly WarpMarker[]): ClipPoints {
  return mapPoints(points, (beats) => secondsAt(markers, beats));
}

export function mapPoints(points: ClipPoints, map: (value: number) => number): ClipPoints {
  const { startMarker, endMarker, loopStart, loopEnd } = points;
  return {
    startMarker: map(startMarker),
    endMarker: map(endMarker),
    loopStart: map(loopStart),
    loopEnd: map(loopEnd),
  };
}

/** Turned on, everything that was in seconds is in beats; turned off, the numbers stay and are seconds now. */
export function setWarping(clip: SetClip, warping: boolean): void {
  if (clip.warping === warping) return;
  if (warping) Object.assign(clip, inBeats(clip, allMarkers(clip)));
  clip.warping = warping;
  clip.looping &&= warping;
}
