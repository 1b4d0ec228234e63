import type { Sound } from "../../core/manifest/manifest.ts";
import { RunRefusal } from "./run-refusal.ts";

type NamedSound = Pick<Sound, "id" | "name">;

/**
 * Finds the sounds that a person chose (rule R10).
 * @param wanted ids or names; an id wins over another sound's name
 * @returns their ids, each once, in the package's order
 * @throws {RunRefusal} when it names nothing, an unknown sound, or one of several with the same name
 */
export function chooseSounds(
  sounds: readonly NamedSound[],
  wanted: readonly string[],
): readonly string[] {
  if (wanted.length === 0) throw new RunRefusal("SOUNDS_WRONG", "Choose at least one sound.");
  const chosen = new Set(wanted.map((text) => findSound(sounds, text)));
  return sounds.map(({ id }) => id).filter((id) => chosen.has(id));
}

function findSound(sounds: readonly NamedSound[], wanted: string): string {
  if (sounds.some(({ id }) => id === wanted)) return wanted;
  const named = sounds.filter(({ name }) => name === wanted);
  const [first, ...others] = named;
  if (first === undefined) {
    throw new RunRefusal("SOUNDS_WRONG", `The package has no sound ${wanted}.`);
  }
  if (others.length === 0) return first.id;
  const ids = named.map(({ id }) => id).join(", ");
  throw new RunRefusal("SOUNDS_WRONG", `Several sounds are called ${wanted}. Use an id: ${ids}.`);
}
