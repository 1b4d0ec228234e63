import { formatNumber } from "../../../core/text/format-number.ts";
import type { PageView } from "../page-view.ts";
import { choiceOf, type PageSound } from "./page-sound.ts";
import { BPM, numberOf } from "./read-number.ts";
import { t } from "../../kit/page-language.ts";
import { planSound } from "./plan-sound.ts";
import { guess } from "../../../client/audio/guess.ts";
import { guessTitle } from "../../../core/guess/guess-package-title.ts";
import type { SoundGuess } from "../../../core/guess/sound-guess.ts";

/**
 * Returns the package's title: the typed one, otherwise a guess from the files and their folder. Empty without sounds.
 */
export function titleOf({ title, sounds }: Pick<PageView, "title" | "sounds">): string {
  return title ?? guessedTitle(sounds);
}

/** Returns the title that files and folders suggest. Empty without sounds. */
export function guessedTitle(sounds: readonly PageSound[]): string {
  return sounds.length === 0 ? "" : guessPackageTitle(sounds);
}

/**
 * Returns the package's tempo: the typed one, otherwise the one that most of its loops have. Empty if there is none.
 */
export function tempoOf({ bpm, sounds }: Pick<PageView, "bpm" | "sounds">): string {
  if (bpm !== null) return bpm;
  // A guess would become the tempo of a loop that is sent without one on purpose.
  if (sounds.some((sound) => choiceOf(sound).isTempoOpen)) return "";
  const counts = new Map<number, number>();
  for (const tempo of tempiOf(sounds)) counts.set(tempo, (counts.get(tempo) ?? 0) + 1);
  const [first, second] = [...counts].toSorted((one, other) => other[1] - one[1]);
  return first === undefined || first[1] === second?.[1] ? "" : formatNumber(first[0], 6);
}

/** Returns the tempi of the loops that have one. */
function tempiOf(sounds: readonly PageSound[]): readonly number[] {
  return sounds.flatMap((sound) => {
    const { kind, bpm } = choiceOf(sound);
    const tempo = kind === "loop" ? numberOf(bpm, BPM) : undefined;
    return tempo === undefined ? [] : [tempo];
  });
}

/**
 * Describes the effect of Send, such as `5 loops at 126 BPM, 5 one-shots → scene Kitchen Kit`. Empty without sounds.
 */
export function formatOutgoing(view: Pick<PageView, "title" | "bpm" | "sounds">): string {
  const { sounds } = view;
  if (sounds.length === 0) return "";
  const kinds = sounds.map((sound) => choiceOf(sound).kind);
  const countOf = (wanted: "loop" | "oneshot" | null): number =>
    kinds.filter((kind) => kind === wanted).length;
  const oneShots = countOf("oneshot");
  const open = countOf(null);
  const pieces = [
    ...(countOf("loop") === 0 ? [] : [formatLoops(view, countOf("loop"))]),
    ...(oneShots === 0 ? [] : [t("page.oneShots", { count: oneShots })]),
    ...(open === 0 ? [] : [t("page.undecided", { count: open })]),
  ];
  return t("page.outgoing", { sounds: pieces.join(", "), title: titleOf(view) });
}

function formatLoops(view: Pick<PageView, "bpm" | "sounds">, count: number): string {
  const packageBpm = numberOf(tempoOf(view), BPM);
  const tempi = view.sounds.flatMap((sound) => planSound(sound, packageBpm).tempoBpm ?? []);
  if (tempi.length === 0) return t("page.loops", { count });
  const [slowest, fastest] = [Math.min(...tempi), Math.max(...tempi)].map((bpm) =>
    formatNumber(bpm, 2),
  );
  const tempo = slowest === fastest ? slowest : `${slowest}–${fastest}`;
  return t("page.loopsAt", { count, tempo: tempo ?? "" });
}

type GuessedFile = Pick<PageSound, "fileName" | "folderName" | "header" | "hints">;

/** Guesses a file's properties. @param packageBpm the tempo that a person gave the package */
export function guessFile(
  { fileName, folderName, header, hints }: GuessedFile,
  packageBpm: number | undefined,
): SoundGuess {
  return guess(fileName, hints, header, { folderName: folderName ?? undefined, packageBpm });
}

/** Guesses the title of files that are sent together. */
function guessPackageTitle(files: readonly GuessedFile[]): string {
  return guessTitle({
    folderName: sharedFolder(files),
    fileNames: files.map(({ fileName }) => fileName),
  });
}

/** Returns the innermost folder that holds all files; undefined if there is none, or if it is unknown. */
function sharedFolder(files: readonly GuessedFile[]): string | undefined {
  const [first = [], ...others] = files.map(({ folderName }) => folderName?.split("/") ?? []);
  const end = first.findIndex((part, depth) => others.some((parts) => parts[depth] !== part));
  const shared = end === -1 ? first : first.slice(0, end);
  return shared.length === 0 ? undefined : shared.join("/");
}
