import { readPiece } from "../../../client/sound-bytes.ts";
import { cleanName } from "../../../core/text/clean-name.ts";
import { readLoopHints } from "../../../core/wav/read-loop-hints.ts";
import { readWavHeaderAt, type ReadAt } from "../../../core/wav/read-wav-header-at.ts";
import { MAX_PACKAGE_BYTES } from "../../../core/limits.ts";
import { PACKAGE_SIZE } from "../../../core/text/format-limit.ts";
import { convertToWav } from "../convert/convert-to-wav.ts";
import type { PageSound } from "./page-sound.ts";

/** The first four bytes of every kind of WAV, including the refused kinds. */
const WAV_STARTS = new Set(["RIFF", "RIFX", "RF64", "BW64"]);

/**
 * Reads a chosen or dropped file. A WAV is validated by its header, as on the relay; any other format is
 * converted.
 * @throws {Error} with a sentence that says why it can't be sent
 */
export async function readSound(file: File, key: string): Promise<PageSound> {
  if (file.size === 0) throw new Error(`${file.name} is empty.`);
  if (file.size > MAX_PACKAGE_BYTES)
    throw new Error(`${file.name} is larger than ${PACKAGE_SIZE}.`);
  const start = String.fromCharCode(...(await readPiece(file, 0, 4)));
  const { source, notes } = WAV_STARTS.has(start) ? { source: file, notes: [] } : await asWav(file);
  const readAt: ReadAt = (offset, length) => readPiece(source, offset, length);
  const header = await readWavHeaderAt(readAt, source.size, file.name);
  return {
    key,
    source,
    header,
    hints: source === file ? await readLoopHints(readAt, source.size) : {},
    notes,
    name: cleanName(file.name.replace(/\.[^.]*$/, "").replaceAll("_", " ")),
    kind: "oneshot",
    role: null,
    lengthBeats: "",
    bpm: "",
    gainDb: "",
    color: null,
    isSuggestionDone: false,
  };
}

async function asWav(file: File): Promise<Pick<PageSound, "source" | "notes">> {
  const { wav, notes } = await convertToWav(file);
  if (wav.size > MAX_PACKAGE_BYTES)
    throw new Error(`${file.name} is larger than ${PACKAGE_SIZE} as WAV.`);
  return { source: wav, notes };
}
