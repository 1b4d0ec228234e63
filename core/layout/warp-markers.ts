/** Ties a moment of a file to a beat of its clip. Between two markers the tempo is constant. */
export interface WarpMarker {
  /** Seconds from the file's first sample. */
  readonly seconds: number;
  /** Quarter notes from the clip's beat 0; may be negative. */
  readonly beats: number;
}

/**
 * Returns the beat of a moment. Before the first marker and after the last one, the tempo of the nearest
 * segment continues.
 * @param markers at least two, rising in both
 */
export function beatAt(markers: readonly WarpMarker[], seconds: number): number {
  const [from, to] = segmentOf(markers, (marker) => marker.seconds <= seconds);
  return (
    from.beats + (seconds - from.seconds) * ((to.beats - from.beats) / (to.seconds - from.seconds))
  );
}

/** Returns the moment of a beat, in seconds; the inverse of `beatAt`. */
export function secondsAt(markers: readonly WarpMarker[], beats: number): number {
  const [from, to] = segmentOf(markers, (marker) => marker.beats <= beats);
  return (
    from.seconds + (beats - from.beats) * ((to.seconds - from.seconds) / (to.beats - from.beats))
  );
}

/** Returns the tempo of the last segment in BPM: it continues after the last marker. */
export function lastTempo(markers: readonly WarpMarker[]): number {
  const [from, to] = segmentOf(markers, () => true);
  return (60 * (to.beats - from.beats)) / (to.seconds - from.seconds);
}

function segmentOf(
  markers: readonly WarpMarker[],
  isBefore: (marker: WarpMarker) => boolean,
): readonly [WarpMarker, WarpMarker] {
  const found = markers.findLastIndex(isBefore);
  const index = Math.min(Math.max(found, 0), markers.length - 2);
  const [from, to] = [markers[index], markers[index + 1]];
  if (from === undefined || to === undefined) throw new RangeError("A clip needs two markers.");
  return [from, to];
}

/** A tempo that never changes, with beat 0 at the file's first sample. */
export interface StraightLine {
  readonly tempoBpm: number;
  /** The end of the loop, from beat 0. */
  readonly endBeats: number;
}

/** The largest deviations of markers from the line. */
export interface LineTolerances {
  readonly warpMarkerBeats: number;
  readonly tempoBpm: number;
}

/** Rounding error of a position as a 32-bit float, in beats: it bends a short last segment. */
const POSITION_NOISE_BEATS = 2e-6;

/** Returns the two markers that draw the line: the file's first sample, and the loop's end. */
export function straightMarkers({ tempoBpm, endBeats }: StraightLine): readonly WarpMarker[] {
  return [
    { seconds: 0, beats: 0 },
    { seconds: (60 * endBeats) / tempoBpm, beats: endBeats },
  ];
}

/**
 * Checks whether markers play a loop at one tempo, in time from the file's first sample: both ends of the
 * loop, every marker in it and the tempo after the last marker are on the line. A drift inside the loop
 * is off it, even one whose average tempo is right. False for fewer than two markers.
 */
export function isStraight(
  markers: readonly WarpMarker[],
  line: StraightLine,
  tolerances: LineTolerances,
): boolean {
  if (markers.length < 2) return false;
  const ends = straightMarkers(line);
  const inLoop = markers.filter(
    ({ seconds, beats }) =>
      (seconds >= 0 && seconds <= (ends[1]?.seconds ?? 0)) ||
      (beats >= 0 && beats <= line.endBeats),
  );
  const played = ends.map(({ seconds }) => ({ seconds, beats: beatAt(markers, seconds) }));
  return (
    isTempo(markers, line.tempoBpm, tolerances.tempoBpm) &&
    [...played, ...inLoop].every(
      ({ seconds, beats }) =>
        Math.abs(beats - (seconds * line.tempoBpm) / 60) <= tolerances.warpMarkerBeats,
    )
  );
}

/** Compares the tempo after the last marker. */
function isTempo(markers: readonly WarpMarker[], tempoBpm: number, tolerance: number): boolean {
  const [from, to] = [markers.at(-2)?.beats ?? 0, markers.at(-1)?.beats ?? 0];
  const noise = (tempoBpm * POSITION_NOISE_BEATS) / (to - from);
  return Math.abs(lastTempo(markers) - tempoBpm) <= Math.max(tolerance, noise);
}

/** Formats markers as a text, such as `0 s = beat 0, 4 s = beat 8`. */
export function formatMarkers(markers: readonly WarpMarker[]): string {
  if (markers.length === 0) return "none";
  return markers
    .map(({ seconds, beats }) => `${toSixDecimals(seconds)} s = beat ${toSixDecimals(beats)}`)
    .join(", ");
}

/** Formats six decimals: 10⁻⁶ beat is the finest tolerance. */
function toSixDecimals(value: number): string {
  return String(Number(value.toFixed(6)));
}
