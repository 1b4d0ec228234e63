import { isJsonObject } from "../text/json-object.ts";
import { MAX_RESULT_ENTRIES, MAX_RESULT_UNITS } from "../limits.ts";
import { refusal } from "./refusal.ts";
import type { Difference, Setting, SoundResult, SoundResults } from "./package-status.ts";
import { isSoundResult } from "./schemas/validate.generated.js";
import { shorten } from "../text/shorten.ts";

/**
 * Reads the body of a report: `{results: {<sound id>: {…}}}` (rules S3, S7). Each result is rebuilt from
 * the members that are known, so that nothing else reaches the app; a sound that is left out is failed.
 * @returns results in the package's order, in an object without prototype
 * @throws {Refusal} 422 RESULTS_WRONG, SOUND_UNKNOWN
 */
export function parseResults(body: unknown, soundIds: readonly string[]): SoundResults {
  if (!isJsonObject(body) || !isJsonObject(body["results"])) throw refusal("RESULTS_WRONG");
  const given = new Map(Object.entries(body["results"]));
  const unknown = [...given.keys()].find((id) => !soundIds.includes(id));
  if (unknown !== undefined) throw refusal("SOUND_UNKNOWN", { id: unknown });
  const results: Record<string, SoundResult> = Object.create(null);
  for (const id of soundIds) {
    const result = given.get(id);
    results[id] =
      result === undefined
        ? { status: "failed", error: "No result was reported for this sound." }
        : parseResult(result);
  }
  return results;
}

function parseResult(value: unknown): SoundResult {
  const judged = withFirstEntries(value);
  if (!isSoundResult(judged)) throw refusal("RESULTS_WRONG");
  const { status, track, file, notes, differences, error } = judged;
  return {
    status,
    ...(track !== undefined && { track: cut(track) }),
    ...(file !== undefined && { file: cut(file) }),
    ...(notes !== undefined && { notes: notes.map(cut) }),
    ...(differences !== undefined && { differences: differences.map(cutDifference) }),
    ...(error !== undefined && { error: cut(error) }),
  };
}

/** What is left out of a list is not judged either. */
function withFirstEntries(value: unknown): unknown {
  if (!isJsonObject(value)) return value;
  const { notes, differences } = value;
  return {
    ...value,
    ...(Array.isArray(notes) && { notes: notes.slice(0, MAX_RESULT_ENTRIES) }),
    ...(Array.isArray(differences) && { differences: differences.slice(0, MAX_RESULT_ENTRIES) }),
  };
}

function cutDifference({ setting, asked, got }: Difference): Difference {
  return { setting: cut(setting), asked: cutSetting(asked), got: cutSetting(got) };
}

function cutSetting(setting: Setting): Setting {
  return typeof setting === "string" ? cut(setting) : setting;
}

function cut(text: string): string {
  return shorten(text, MAX_RESULT_UNITS);
}
