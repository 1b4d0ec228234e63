import { beatAt, secondsAt, type WarpMarker } from "../../../../core/layout/warp-markers.ts";
import type { HeldSettings, Unsure } from "../../../../core/report/placed-sound.ts";
import type { HeldMessage } from "./outcome-message.ts";
import { MIN_GAIN_DB } from "../../../../core/limits.ts";

type Timing = Pick<
  HeldSettings,
  "startSeconds" | "loopStartSeconds" | "loopEndBeats" | "tempoBpm" | "warpMarkers"
>;

/** Reads a clip's start, loop and tempo, in the file's seconds and the plan's beats. */
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

/** Returns the markers if they are usable: two at least, rising in seconds and beats. */
function markersOf({ markers }: HeldMessage): readonly WarpMarker[] | undefined {
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

/**
 * Returns the name that a track or scene has for people. Live replaces a leading `#` with a number, so the script may
 * have doubled it: that is no difference.
 */
export function heldName(held: string | null, asked: string): string | undefined {
  return asked.startsWith("#") && held === `#${asked}` ? asked : (held ?? undefined);
}

/** The gain of a clip as Live shows it. */
interface HeldGain {
  readonly gainDb: number;
  /** The largest difference between the true gain and the displayed one. */
  readonly toleranceDb: number;
}

const TOLERANCE_DB = 0.1;
/** The raw gain from which Live's scale is a straight line. */
const STRAIGHT_FROM = 0.4;

/**
 * Reads a gain from Live's display, such as `-3.0 dB`, else from the raw value where its scale is known.
 * Silence counts as the least gain that a manifest can request.
 * @returns undefined where neither can be read
 */
export function readGain({
  gain_display_string: display,
  gain,
}: Pick<HeldMessage, "gain_display_string" | "gain">): HeldGain | undefined {
  const shown = display === null ? undefined : parseDisplay(display);
  if (shown !== undefined) return shown;
  if (gain === null || gain < STRAIGHT_FROM) return undefined;
  return { gainDb: 40 * gain - 16, toleranceDb: TOLERANCE_DB };
}

function parseDisplay(display: string): HeldGain | undefined {
  const text = display
    .replaceAll(/[\u2212\u2012\u2013\u2014]/g, "-")
    .replaceAll(/[\s\u00a0\u202f]/g, "");
  if (/^-(inf|\u221e)/i.test(text)) return { gainDb: MIN_GAIN_DB, toleranceDb: TOLERANCE_DB };
  const found = /^([+-]?\d+)(?:[.,](\d+))?(?:dB)?$/i.exec(text);
  if (found === null) return undefined;
  const [, whole = "0", digits = ""] = found;
  const lastDigit = 10 ** -digits.length;
  return {
    gainDb: Number(`${whole}.${digits || "0"}`),
    toleranceDb: Math.max(TOLERANCE_DB, lastDigit),
  };
}
