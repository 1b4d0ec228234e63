import { guess } from "../../../client/audio/guess.ts";
import { guessTitle } from "../../../core/guess/guess-package-title.ts";
import type { SoundGuess } from "../../../core/guess/sound-guess.ts";
import type { PageSound } from "./page-sound.ts";

type GuessedFile = Pick<PageSound, "fileName" | "folderName" | "header" | "hints">;

/**
 * What a file probably is.
 * @param packageBpm the tempo that a person gave the package
 */
export function guessFile(
  { fileName, folderName, header, hints }: GuessedFile,
  packageBpm: number | undefined,
): SoundGuess {
  return guess(fileName, hints, header, { folderName: folderName ?? undefined, packageBpm });
}

/** What files that are sent together are probably called. */
export function guessPackageTitle(files: readonly GuessedFile[]): string {
  return guessTitle({
    folderName: sharedFolder(files),
    fileNames: files.map(({ fileName }) => fileName),
  });
}

/** The innermost folder that holds all files; undefined if there is none, or if it is unknown. */
function sharedFolder(files: readonly GuessedFile[]): string | undefined {
  const [first = [], ...others] = files.map(({ folderName }) => folderName?.split("/") ?? []);
  const end = first.findIndex((part, depth) => others.some((parts) => parts[depth] !== part));
  const shared = end === -1 ? first : first.slice(0, end);
  return shared.length === 0 ? undefined : shared.join("/");
}
