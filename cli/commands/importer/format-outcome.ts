import { inEnglish } from "../../../core/messages/translate.ts";
import type { ImportedTrack, ImportOutcome } from "../../../core/protocol/import-outcome.ts";
import { countOf } from "../../../core/text/count-of.ts";
import { formatInto } from "../../../core/text/format-host.ts";
import { sentenceOf } from "../../fail.ts";
import { formatSounds, type SoundOutcome } from "../../format.ts";
import { FILE_NAMES, type FileHostName } from "../../hosts.ts";

/** An import's outcome, as the command prints it (rule K5). A file host's name has the absolute path of its file. */
export type GivenOutcome = ImportOutcome & Readonly<Partial<Record<FileHostName, string>>>;

/**
 * Formats an outcome: the scene, its place, and each sound with reasons and differences.
 * @param otherHost the host it was written to, if it wrote a file
 */
export function formatOutcome(outcome: GivenOutcome, otherHost?: string): string {
  const { tracks } = outcome;
  const headline = headlineOf(outcome, fileOf(outcome) === undefined ? undefined : otherHost);
  return `${headline}${placeOf(outcome)}\n\n${formatSounds(tracks.map(soundOf))}`;
}

function fileOf(outcome: GivenOutcome): string | undefined {
  return FILE_NAMES.map((name) => outcome[name]).find((file) => file !== undefined);
}

function placeOf(outcome: GivenOutcome): string {
  const file = fileOf(outcome);
  if (file !== undefined) return ` File: ${file}`;
  const { folder } = outcome;
  return folder === null ? "" : ` Files: ${folder}`;
}

/**
 * One sentence, such as `Kitchen Kit (Spoon): 7 of 8 sounds imported.`
 * @param otherHost the host, if not the importer's own
 */
export function headlineOf({ scene, tracks }: ImportOutcome, otherHost?: string): string {
  const imported = tracks.filter(({ status }) => status === "imported").length;
  const words = `${imported} of ${countOf(tracks.length, "sound")} imported`;
  return `${scene.name}: ${formatInto(inEnglish, words, otherHost)}.`;
}

function soundOf({
  clip,
  track,
  status,
  file,
  path,
  notes,
  differences,
  error,
}: ImportedTrack): SoundOutcome {
  const result = {
    status,
    notes,
    differences,
    ...(status === "imported" && { track }),
    ...(file !== null && { file }),
    ...(path !== null && { path }),
    ...(error !== null && { error }),
  };
  return { name: clip, result };
}

/** Flags that resolve a failure, by its code. */
const HINTS: ReadonlyMap<unknown, string> = new Map([
  ["ALREADY_PLACED", "To import it anyway, add --again."],
  ["RUN_ELSEWHERE", "To take it over, add --take-over."],
]);

/** Formats why a package was not imported, and the flag that helps. */
export function importFailure(error: unknown): string {
  const code = error instanceof Error && "code" in error ? error.code : undefined;
  const hint = HINTS.get(code);
  return hint === undefined ? sentenceOf(error) : `${sentenceOf(error)} ${hint}`;
}
