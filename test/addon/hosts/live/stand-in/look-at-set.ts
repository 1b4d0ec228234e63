import type { LiveSet, SetClip, SetTrack } from "./live-set.ts";

/** A Set in plain values. */
export interface SetPicture {
  readonly tempoBpm: number;
  readonly scenes: readonly string[];
  readonly tracks: readonly TrackPicture[];
}

export interface TrackPicture {
  /** Another one for every track that was ever made. */
  readonly id: string;
  readonly name: string;
  /** Raw: 0.85 is 0 dB. */
  readonly volume: number;
  readonly clips: readonly ClipPicture[];
}

export interface ClipPicture extends Omit<SetClip, "id" | "fileSeconds"> {
  /** The index of its scene, from 0. */
  readonly scene: number;
}

export function lookAtSet(set: LiveSet): SetPicture {
  return {
    tempoBpm: set.tempoBpm,
    scenes: set.scenes.map(({ name }) => name),
    tracks: set.tracks.map((track) => ({
      id: String(track.id),
      name: track.name,
      volume: track.volume,
      clips: clipsOf(set, track),
    })),
  };
}

function clipsOf(set: LiveSet, track: SetTrack): readonly ClipPicture[] {
  return set.slotsOf(track).flatMap(({ clip }, scene) => {
    if (clip === null) return [];
    const { id: _id, fileSeconds: _seconds, ...settings } = clip;
    return [{ scene, ...settings }];
  });
}
