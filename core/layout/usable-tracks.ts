/** The sounds of a layout that can be placed, in its order; of any form of a layout in which the others have an `error`. */
export function usableTracks<Sound extends object>({
  tracks,
}: {
  readonly tracks: readonly Sound[];
}): readonly Exclude<Sound, { readonly error: string }>[] {
  return tracks.filter(
    (sound): sound is Exclude<Sound, { readonly error: string }> => !("error" in sound),
  );
}
