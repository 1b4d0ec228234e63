import { beatAt, secondsAt, type WarpMarker } from "../../../../core/layout/warp-markers.ts";
import type { Unsure } from "../../held-settings.ts";
import type { HeldSettings } from "../../host.ts";
import type { HeldMessage } from "./outcome-message.ts";

type Timing = Pick<
  HeldSettings,
  "startSeconds" | "loopStartSeconds" | "loopEndBeats" | "tempoBpm" | "warpMarkers"
>;

/** Reads where a clip starts, loops and how fast, in the file's seconds and the plan's beats. */
export function readTiming(holds: HeldMessage): Unsure<Timing> {
  const { warping, looping, loop_start: loopStart, loop_end: loopEnd } = holds;
  const loops = looping !== false;
  const start = loops ? holds.start_marker : loopStart;
  if (warping === false) {
    return {
      startSeconds: start ?? undefined,
      loopStartSeconds: loops ? (loopStart ?? undefined) : undefined,
      loopEndBeats: null,
      tempoBpm: null,
      warpMarkers: undefined,
    };
  }
  const markers = markersOf(holds);
  if (markers === undefined) return UNKNOWN_TIMING;
  const [startsAt, loopsFrom] = [start, loopStart].map((beats) =>
    beats === null ? undefined : secondsAt(markers, beats),
  );
  return {
    startSeconds: startsAt,
    loopStartSeconds: loops ? loopsFrom : undefined,
    loopEndBeats: !loops ? null : loopEnd === null ? undefined : loopEnd - beatAt(markers, 0),
    tempoBpm: loopTempo(holds),
    warpMarkers: markers,
  };
}

const UNKNOWN_TIMING: Unsure<Timing> = {
  startSeconds: undefined,
  loopStartSeconds: undefined,
  loopEndBeats: undefined,
  tempoBpm: undefined,
  warpMarkers: undefined,
};

/** Returns the markers if they can be followed: two at least, rising in both. */
export function markersOf({ markers }: HeldMessage): readonly WarpMarker[] | undefined {
  if (markers === null || markers.length < 2) return undefined;
  const told = markers.map(([seconds, beats]) => ({ seconds, beats }));
  const rises = told.every((marker, index) => {
    const before = told[index - 1];
    return before === undefined || (before.seconds < marker.seconds && before.beats < marker.beats);
  });
  return rises ? told : undefined;
}

/** Returns the average tempo from the loop's start to its end in BPM; undefined where Live doesn't tell. */
export function loopTempo(holds: HeldMessage): number | undefined {
  const { loop_start: from, loop_end: to } = holds;
  const markers = markersOf(holds);
  if (markers === undefined || from === null || to === null) return undefined;
  const tempoBpm = (60 * (to - from)) / (secondsAt(markers, to) - secondsAt(markers, from));
  return Number.isFinite(tempoBpm) ? tempoBpm : undefined;
}
