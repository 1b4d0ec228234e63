import { isJsonObject } from "../text/json-object.ts";
import { MAX_RESULT_ENTRIES, MAX_RESULT_UNITS } from "../limits.ts";
import { refusal } from "./refusal.ts";
import type { Difference, Setting, SoundResult, SoundResults } from "./package-status.ts";
import { isSoundResult } from "./schemas/validate.generated.js";
import { shorten } from "../text/shorten.ts";

/**
 * Parses a report, `{results: {<sound id>: {…}}}` (rules S3, S7). Keeps only known members, so nothing
 * else reaches the app. A sound without a result is `failed`.
 * @returns results in the package's order, in an object without prototype
 * @throws {Refusal} 422 RESULTS_WRONG, SOUND_UNKNOWN
 */
export function parseResults(body: unknown, soundIds: readonly string[]): SoundResults {
  if (!isJsonObject(body) || !isJsonObject(body["results"])) throw refusal("RESULTS_WRONG");
  const reported = new Map(Object.entries(body["results"]));
  const unknown = [...reported.keys()].find((id) => !soundIds.includes(id));
  if (unknown !== undefined) throw refusal("SOUND_UNKNOWN", { id: unknown });
  const results: Record<string, SoundResult> = Object.create(null);
  for (const id of soundIds) {
    const result = reported.get(id);
    results[id] =
      result === undefined
        ? { status: "failed", error: "No result was reported for this sound." }
        : parseResult(result);
  }
  return results;
}

function parseResult(value: unknown): SoundResult {
  const result = withFirstEntries(value);
  if (!isSoundResult(result)) throw refusal("RESULTS_WRONG");
  const { status, track, file, notes, differences, error } = result;
  return {
    status,
    ...(track !== undefined && { track: cut(track) }),
    ...(file !== undefined && { file: cut(file) }),
    ...(notes !== undefined && { notes: notes.map(cut) }),
    ...(differences !== undefined && { differences: differences.map(cutDifference) }),
    ...(error !== undefined && { error: cut(error) }),
  };
}

/** Truncates lists before validation, so dropped entries aren't validated. */
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
