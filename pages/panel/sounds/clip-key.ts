/** Identifies a sound in a list; no other package has the same key. */
export function clipKeyOf({ packageId }: { readonly packageId: string }, soundId: string): string {
  return JSON.stringify([packageId, soundId]);
}
