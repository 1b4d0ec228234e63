import { inEnglish } from "../../../core/messages/translate.ts";
import { soundResult } from "../../../core/report/import-outcome.ts";
import type { ImportOutcome } from "../../../core/protocol/import-outcome.ts";
import { isOnlySaved, SAVING_HOST } from "../../../core/protocol/package-status.ts";
import { countOf } from "../../../core/text/count-of.ts";
import { formatInto } from "../../../core/text/format-host.ts";
import { commandLine } from "../../command.ts";
import { sentenceOf } from "../../fail.ts";
import { formatSounds } from "../../format.ts";
import { FILE_NAMES, type FileHostName } from "../../hosts.ts";

/** An import's outcome, as the command prints it (rule K5). A file host's name has the absolute path of its file. */
export type GivenOutcome = ImportOutcome & Readonly<Partial<Record<FileHostName, string>>>;

/**
 * Formats an outcome: the scene, its place, and each sound with reasons and differences.
 * @param otherHost the host it was written to, if it wrote a file
 */
export function formatOutcome(outcome: GivenOutcome, otherHost?: string): string {
  const sounds = outcome.tracks.map((track) => ({ name: track.clip, result: soundResult(track) }));
  const headline = headlineOf(outcome, fileOf(outcome) === undefined ? undefined : otherHost);
  const parts = [`${headline}${placeOf(outcome)}`, formatSounds(sounds)];
  if (isOnlySaved(outcome.tracks) && otherHost !== SAVING_HOST) parts.push(TO_PLACE);
  return parts.join("\n\n");
}

/** The way from a saved package to one in Live. */
const TO_PLACE = `To place it in Live, import it again while Live is open. Is Live set up? Try ${commandLine(["live", "status"])}`;

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
 * A short text such as `Kitchen Kit (Spoon): 7 of 8 sounds imported.`, or `Saved. Kitchen Kit (Spoon): 8 of 8 sounds.`
 * @param otherHost the host, if not the importer's own
 */
export function headlineOf({ scene, tracks }: ImportOutcome, otherHost?: string): string {
  const imported = tracks.filter(({ status }) => status === "imported").length;
  const counted = `${imported} of ${countOf(tracks.length, "sound")}`;
  if (isOnlySaved(tracks)) return `Saved. ${scene.name}: ${counted}.`;
  const words = `${counted} imported`;
  return `${scene.name}: ${formatInto(inEnglish, words, otherHost)}.`;
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
