import { readPiece } from "../../../client/sound-bytes.ts";
import { MAX_PACKAGE_BYTES } from "../../../core/limits.ts";
import { PACKAGE_SIZE } from "../../../core/text/format-limit.ts";
import { readLoopHints } from "../../../core/wav/read-loop-hints.ts";
import { readWavHeaderAt, type ReadAt } from "../../../core/wav/read-wav-header-at.ts";
import { t } from "../../../web/page-language.ts";
import { convertToWav } from "../convert/convert-to-wav.ts";
import type { FoundFile } from "./found-file.ts";
import { guessFile } from "./guess-files.ts";
import type { PageSound } from "./page-sound.ts";

/** The first four bytes of every kind of WAV, including the refused kinds. */
const WAV_STARTS = new Set(["RIFF", "RIFX", "RF64", "BW64"]);

/**
 * Reads a chosen or dropped file and guesses what it is. A WAV is validated by its header, as on the relay; any
 * other format is converted.
 * @param packageBpm the tempo that a person gave the package
 * @throws {Error} with a sentence that says why it can't be sent; {Refusal} for a WAV that the relay refuses
 */
export async function readSound(
  { file, folderName }: FoundFile,
  key: string,
  packageBpm: number | undefined,
): Promise<PageSound> {
  const { name: fileName } = file;
  if (file.size === 0) throw new Error(t("page.emptyFile", { file: fileName }));
  if (file.size > MAX_PACKAGE_BYTES) {
    throw new Error(t("page.largeFile", { file: fileName, size: PACKAGE_SIZE }));
  }
  const { source, notes, hints } = await asWav(file);
  const readAt: ReadAt = (offset, length) => readPiece(source, offset, length);
  const header = await readWavHeaderAt(readAt, source.size, fileName);
  const known = { fileName, folderName, header, hints };
  return { key, source, ...known, notes, guess: guessFile(known, packageBpm), edits: {} };
}

async function asWav(file: File): Promise<Pick<PageSound, "source" | "notes" | "hints">> {
  const start = String.fromCharCode(...(await readPiece(file, 0, 4)));
  if (WAV_STARTS.has(start)) {
    const readAt: ReadAt = (offset, length) => readPiece(file, offset, length);
    return { source: file, notes: [], hints: await readLoopHints(readAt, file.size) };
  }
  const { wav, notes, hints } = await convertToWav(file);
  if (wav.size > MAX_PACKAGE_BYTES) {
    throw new Error(t("page.largeAsWav", { file: file.name, size: PACKAGE_SIZE }));
  }
  return { source: wav, notes, hints };
}
