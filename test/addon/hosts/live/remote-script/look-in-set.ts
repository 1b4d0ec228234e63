import type { FakeClip, FakeSet, FakeTrack } from "./fake-live-set.ts";

/** The tracks that the Set has on the right of those that it had before. */
export function tracksAfter(before: FakeSet, { tracks }: FakeSet): readonly FakeTrack[] {
  return tracks.slice(before.tracks.length);
}

/** The only clip of a track, with its row. @throws {Error} where there is another number of them */
export function clipOf({ name, clips }: FakeTrack): FakeClip & { readonly row: number } {
  const [found, ...more] = clips.flatMap((clip, row) => (clip === null ? [] : [{ ...clip, row }]));
  if (found === undefined || more.length > 0) {
    throw new Error(`The track ${name} has ${more.length + (found === undefined ? 0 : 1)} clips.`);
  }
  return found;
}

/** Returns the distance of the clip from the tempo in beats: that of the farthest marker, the hidden one included. */
export function beatsOff({ markers, shadow }: FakeClip, tempoBpm: number): number {
  const all = [...markers, shadow];
  return Math.max(...all.map(([seconds, beat]) => Math.abs((seconds * tempoBpm) / 60 - beat)));
}

/**
 * A Set without what changes by being saved and opened again. Of our data, an empty list of unfinished runs
 * may stay.
 */
export function lasting(given: FakeSet): object {
  const { scenes, ...set } = given;
  return {
    ...set,
    data: { soundferry: "{}", ...set.data },
    scenes: scenes.map(withoutId),
    tracks: lastingTracks(given),
  };
}

/** A Set's tracks without the ids of tracks and clips, which change when it is opened again. */
export function lastingTracks({ tracks }: FakeSet): readonly FakeTrack[] {
  return tracks.map(({ clips, ...track }) => ({
    ...withoutId(track),
    clips: clips.map((clip) => (clip === null ? null : withoutId(clip))),
  }));
}

function withoutId<Thing extends { readonly id: number }>({ ...rest }: Thing) {
  return { ...rest, id: 0 };
}
