import { findRunSentences } from "../../../core/messages/translate-run.ts";
import { DISMISSED, NOT_SELECTED } from "../../../core/protocol/package-status.ts";

interface Reported {
  readonly error?: string | null;
  /** The reason why there was no room for it. */
  readonly skipped?: string;
  readonly notes?: readonly string[];
}

/** Lists the notes and errors of sounds that have no code, each once. */
export function unknownSentences(sounds: readonly Reported[]): readonly string[] {
  const texts = sounds.flatMap(({ error, skipped, notes = [] }) => [
    error ?? skipped ?? "",
    ...notes,
  ]);
  const known = new Set([NOT_SELECTED, DISMISSED]);
  return [...new Set(texts)].filter(
    (text) => text !== "" && !known.has(text) && findRunSentences(text) === undefined,
  );
}
