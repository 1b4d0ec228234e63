/** Ties a moment of a file to a beat of its clip. Between two markers the tempo is constant. */
export interface WarpMarker {
  /** Seconds from the file's first sample. */
  readonly seconds: number;
  /** Quarter notes from the clip's beat 0; may be negative. */
  readonly beats: number;
}

/**
 * Returns the beat of a moment. Before the first marker and after the last one, the tempo of the nearest
 * segment goes on.
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

/** Returns the tempo of the last segment in BPM: the one that goes on after the last marker. */
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
