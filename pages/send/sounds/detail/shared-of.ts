import type { SoundChoice } from "../page-sound.ts";

/** What all selected sounds have; undefined where they differ. */
export function sharedOf<Field extends keyof SoundChoice>(
  choices: readonly SoundChoice[],
  field: Field,
): SoundChoice[Field] | undefined {
  const first = choices[0]?.[field];
  return choices.every((choice) => choice[field] === first) ? first : undefined;
}
