import type {
  PreviewReadScene,
  PreviewUsableTrack,
} from "../../../../core/protocol/preview-api.ts";

/** The tracks of a scene that there will be. */
export function usableTracks({
  tracks,
}: Pick<PreviewReadScene, "tracks">): readonly PreviewUsableTrack[] {
  return tracks.filter((track): track is PreviewUsableTrack => !("error" in track));
}
