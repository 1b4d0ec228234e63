import type { Layout, TrackPlan } from "./layout.ts";

/** The sounds of a layout that can be placed, in its order. */
export function usableTracks({ tracks }: Pick<Layout, "tracks">): readonly TrackPlan[] {
  return tracks.filter((sound): sound is TrackPlan => !("error" in sound));
}
