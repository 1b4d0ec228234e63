/** The id of a scene's heading on the page: it names the scene's tables, and takes the focus where a button goes. */
export function headingIdOf({ key }: { readonly key: string }): string {
  return `scene-${key}`;
}
