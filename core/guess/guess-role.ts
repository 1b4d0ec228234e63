import type { SoundRole } from "../manifest/manifest.ts";
import { SOUND_WORDS } from "./sound-words.ts";

/** A role and how sure it is, from 0 to 1. */
export interface RoleGuess {
  readonly role: SoundRole | null;
  readonly confidence: number;
}

/** Words that name a sound itself count more than those that name its kind. */
const WEAK = new Set(
  (
    "fx sfx synth ambient room chop chops key rise noise swell reverse build buildup click slap knock " +
    "stab stabs sub chord burst crowd drop drops foley groove grooves beat rhythm"
  ).split(" "),
);

/**
 * Guesses a role from the words of a name, else of its folder; in a tie the last word wins.
 * @param hasKey whether the name has a key: then a folder such as `Kitchen Kit` doesn't make it drums
 */
export function guessRole(
  words: readonly string[],
  folderWords: readonly string[],
  stem: string,
  hasKey = false,
): RoleGuess {
  const own = strongestRole(words);
  if (own !== null) return { role: own, confidence: 0.9 };
  if (/(?<!\d)(?:808|303)s?(?!\d)/.test(stem)) return { role: "bass", confidence: 0.6 };
  const folder = strongestRole(folderWords);
  if (folder === null || (folder === "drums" && hasKey)) return { role: null, confidence: 0 };
  return { role: folder, confidence: 0.6 };
}

function strongestRole(words: readonly string[]): SoundRole | null {
  const weights = new Map<SoundRole, number>();
  for (const word of words) {
    const role = SOUND_WORDS.get(word)?.role;
    if (role === undefined) continue;
    const weight = (weights.get(role) ?? 0) + (WEAK.has(word) ? 1 : 2);
    weights.delete(role);
    weights.set(role, weight);
  }
  const [strongest] = [...weights].toReversed().toSorted(([, one], [, other]) => other - one);
  return strongest?.[0] ?? null;
}
