/** Returns the sounds without an `error`, in order, from a layout in any form. */
export function usableTracks<Sound extends object>({
  tracks,
}: {
  readonly tracks: readonly Sound[];
}): readonly Exclude<Sound, { readonly error: string }>[] {
  return tracks.filter(
    (sound): sound is Exclude<Sound, { readonly error: string }> => !("error" in sound),
  );
}
