import { formatNumber } from "../../../core/text/format-number.ts";
import { guessPackageTitle } from "./guess-files.ts";
import type { PageView } from "../page-view.ts";
import { choiceOf } from "./choice-of.ts";
import type { PageSound } from "./page-sound.ts";
import { BPM, numberOf } from "./read-number.ts";

/** The package's title: as typed, otherwise guessed from the files and their folder. Empty without sounds. */
export function titleOf({ title, sounds }: Pick<PageView, "title" | "sounds">): string {
  return title ?? guessedTitle(sounds);
}

/** The title that files and folders suggest. Empty without sounds. */
export function guessedTitle(sounds: readonly PageSound[]): string {
  return sounds.length === 0 ? "" : guessPackageTitle(sounds);
}

/** The package's tempo: as typed, otherwise the one that most of its loops have. Empty if there is none. */
export function tempoOf({ bpm, sounds }: Pick<PageView, "bpm" | "sounds">): string {
  if (bpm !== null) return bpm;
  // It would become the tempo of a loop that is sent without one on purpose.
  if (sounds.some((sound) => choiceOf(sound).isTempoOpen)) return "";
  const counts = new Map<number, number>();
  for (const tempo of tempiOf(sounds)) counts.set(tempo, (counts.get(tempo) ?? 0) + 1);
  const [first, second] = [...counts].toSorted((one, other) => other[1] - one[1]);
  return first === undefined || first[1] === second?.[1] ? "" : formatNumber(first[0], 6);
}

/** The tempi of the loops, as far as they have one. */
function tempiOf(sounds: readonly PageSound[]): readonly number[] {
  return sounds.flatMap((sound) => {
    const { kind, bpm } = choiceOf(sound);
    const tempo = kind === "loop" ? numberOf(bpm, BPM) : undefined;
    return tempo === undefined ? [] : [tempo];
  });
}
