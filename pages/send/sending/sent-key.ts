/** Identifies a sound among all sent packages. */
export function sentKey({ packageId }: { readonly packageId: string }, id: string): string {
  return `${packageId}/${id}`;
}
