/** Says how many tracks and scenes Live didn't remove. */
export function formatStays(stays: number): string {
  return `Live didn’t remove ${stays} of the check’s tracks and scenes. Delete them there.`;
}
