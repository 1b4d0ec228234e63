import { isJsonObject } from "./json-object.ts";
import { refusal } from "./refusal.ts";
import type { Difference, Setting, SoundResult, SoundResults } from "./package-status.ts";
import { shorten } from "./text/shorten.ts";

/** Longest text of a report, in UTF-16 units; longer ones are shortened. */
const MAX_TEXT_UNITS = 500;
/** Notes and differences of one sound; more are left out. */
const MAX_ENTRIES = 100;

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
        ? { status: "failed", error: "The importer did not report on this sound." }
        : parseResult(result);
  }
  return results;
}

function parseResult(value: unknown): SoundResult {
  if (!isJsonObject(value)) throw refusal("RESULTS_WRONG");
  const { status, track, file, notes, differences, error } = value;
  if (status !== "imported" && status !== "skipped" && status !== "failed") {
    throw refusal("RESULTS_WRONG");
  }
  return {
    status,
    ...optionalText("track", track),
    ...optionalText("file", file),
    ...(notes !== undefined && { notes: listOf(notes, parseText) }),
    ...(differences !== undefined && { differences: listOf(differences, parseDifference) }),
    ...optionalText("error", error),
  };
}

function optionalText(name: "track" | "file" | "error", value: unknown): Partial<SoundResult> {
  return value === undefined ? {} : { [name]: parseText(value) };
}

function listOf<Entry>(value: unknown, parse: (entry: unknown) => Entry): Entry[] {
  if (!Array.isArray(value)) throw refusal("RESULTS_WRONG");
  return value.slice(0, MAX_ENTRIES).map((entry: unknown) => parse(entry));
}

function parseText(value: unknown): string {
  if (typeof value !== "string") throw refusal("RESULTS_WRONG");
  return shorten(value, MAX_TEXT_UNITS);
}

function parseDifference(value: unknown): Difference {
  if (!isJsonObject(value)) throw refusal("RESULTS_WRONG");
  const { setting, asked, got } = value;
  return { setting: parseText(setting), asked: parseSetting(asked), got: parseSetting(got) };
}

function parseSetting(value: unknown): Setting {
  if (value === null || typeof value === "number" || typeof value === "boolean") return value;
  return parseText(value);
}
