/** The element id of a scene's heading, which labels its table and gets the focus after some buttons. */
export function headingIdOf({ key }: { readonly key: string }): string {
  return `scene-${key}`;
}
