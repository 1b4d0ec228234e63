import { formatRepairNote } from "../../../core/audio/repair-note.ts";
import { convert, type ConvertedSound } from "../../../client/audio/convert.ts";
import type { FoundFile } from "./sound-files.ts";
import { guessFile } from "./guessed-package.ts";
import type { PageSound } from "./page-sound.ts";
import { t } from "../../kit/page-language.ts";

/**
 * Reads a chosen or dropped file and guesses what it is. A WAV is validated by its header, as on the relay; or
 * repaired; any other format is converted.
 * @param packageBpm the tempo that a person gave the package
 * @throws {ClientError} why it can't be sent
 */
export async function readSound(
  { file, folderName }: FoundFile,
  key: string,
  packageBpm: number | undefined,
): Promise<PageSound> {
  const { wav: source, header, hints, from, notes: repairs } = await convert(file);
  const known = { fileName: file.name, folderName, header, hints };
  const said = repairs.map((note) => formatRepairNote(t, note));
  const notes = [...formatConversion({ from, header }), ...said];
  return { key, source, ...known, notes, guess: guessFile(known, packageBpm), edits: {} };
}

/** Describes the conversion of a file and its consequences for the sender; empty for a WAV. */
function formatConversion({
  from,
  header,
}: Pick<ConvertedSound, "from" | "header">): readonly string[] {
  if (from === null) return [];
  const facts = { bits: header.bitsPerSample, kilohertz: header.sampleRateHz / 1000 };
  const { name: kind } = from;
  return [
    kind === null ? t("page.converted", facts) : t("page.convertedFrom", { kind, ...facts }),
    ...(from.sampleRateHz === null ? [t("page.rateUnknown")] : []),
    ...(kind !== null && from.isPadded ? [t("page.padded", { kind })] : []),
  ];
}
