import { convert } from "../../../client/audio/convert.ts";
import { formatConversion } from "./format-conversion.ts";
import type { FoundFile } from "./found-file.ts";
import { guessFile } from "./guess-files.ts";
import type { PageSound } from "./page-sound.ts";

/**
 * Reads a chosen or dropped file and guesses what it is. A WAV is validated by its header, as on the relay; any
 * other format is converted.
 * @param packageBpm the tempo that a person gave the package
 * @throws {ClientError} why it can't be sent
 */
export async function readSound(
  { file, folderName }: FoundFile,
  key: string,
  packageBpm: number | undefined,
): Promise<PageSound> {
  const { wav: source, header, hints, from } = await convert(file);
  const known = { fileName: file.name, folderName, header, hints };
  const notes = formatConversion({ from, header });
  return { key, source, ...known, notes, guess: guessFile(known, packageBpm), edits: {} };
}
