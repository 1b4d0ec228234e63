import { MAX_RESULT_ENTRIES, MAX_RESULT_UNITS, MAX_RESULTS_BYTES } from "../limits.ts";
import { isJsonObject } from "../text/json-object.ts";
import { shorten } from "../text/shorten.ts";
import { utf8Length } from "../text/utf8.ts";
import type { Difference, Setting, SoundResult, SoundResults } from "./package-status.ts";
import { refusal } from "./refusal.ts";
import { RUN_SENTENCES } from "./run-sentences.ts";
import { isSoundResult } from "./schemas/validate.generated.js";

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
        ? { status: "failed", error: RUN_SENTENCES.NO_RESULT }
        : parseResult(result);
  }
  return results;
}

/**
 * Checks whether a valid report confirms, sound by sound, that the importer keeps a copy (rule L12). A failed sound counts
 * as not kept, because it will be asked for again.
 */
export function areAllKept(body: unknown, soundIds: readonly string[]): boolean {
  const results = isJsonObject(body) && isJsonObject(body["results"]) ? body["results"] : {};
  return soundIds.every((id) => {
    const result = Object.hasOwn(results, id) ? results[id] : undefined;
    return isJsonObject(result) && result["status"] !== "failed" && result["kept"] === true;
  });
}

function parseResult(value: unknown): SoundResult {
  const result = withFirstEntries(value);
  if (!isSoundResult(result)) throw refusal("RESULTS_WRONG");
  const { status, track, file, path, notes, differences, error } = result;
  return {
    status,
    ...(track !== undefined && { track: cut(track) }),
    ...(file !== undefined && { file: cut(file) }),
    ...(path !== undefined && { path: cut(path) }),
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

/** The last note of a sound whose result was shortened. */
export const RESULTS_SHORTENED = RUN_SENTENCES.RESULTS_SHORTENED;

/** UTF-16 units of each note in results that are too long. */
const NOTE_UNITS = 160;
/** UTF-16 units of `track`, `file`, `path` and `error`; the first that fits counts. 32 sounds always fit into the last. */
const TEXT_UNITS = [MAX_RESULT_UNITS, 120, 60, 40];

/**
 * Shortens a report's results to `MAX_RESULTS_BYTES` of JSON (rule S7). Every sound keeps its status, track, file,
 * path and error; of the rest, as many differences as there is room for, then as many notes, in equal numbers for each sound.
 * The same results are always shortened in the same way, and shortened ones are left as they are.
 */
export function fitResults(results: SoundResults): SoundResults {
  if (jsonBytes(results) <= MAX_RESULTS_BYTES) return results;
  const frames = TEXT_UNITS.map((units) => mapped(results, (result) => frameOf(result, units)));
  const frame = frames.find((one) => jsonBytes(one) <= MAX_RESULTS_BYTES) ?? frames.at(-1);
  const room = { bytes: MAX_RESULTS_BYTES - jsonBytes(frame) };
  const differences = dealt(results, room, (one) => one.differences);
  const notes = dealt(results, room, (one) => one.notes?.map((note) => shorten(note, NOTE_UNITS)));
  return mapped(results, (result, id) => {
    const kept = fittedOf(frame?.[id] ?? result, differences.get(id), notes.get(id));
    return JSON.stringify(kept) === JSON.stringify(result) ? result : withNote(kept);
  });
}

/** Returns a result without what is dealt out later. Both lists count, and the note that says that it was shortened. */
function frameOf({ status, track, file, path, error }: SoundResult, units: number): SoundResult {
  return {
    status,
    ...(track !== undefined && { track: shorten(track, units) }),
    ...(file !== undefined && { file: shorten(file, units) }),
    ...(path !== undefined && { path: shorten(path, units) }),
    notes: [RESULTS_SHORTENED],
    differences: [],
    ...(error !== undefined && { error: shorten(error, units) }),
  };
}

function fittedOf(
  { notes: _notes, differences: _differences, error, ...rest }: SoundResult,
  differences: readonly Difference[] = [],
  notes: readonly string[] = [],
): SoundResult {
  return {
    ...rest,
    ...(notes.length > 0 && { notes }),
    ...(differences.length > 0 && { differences }),
    ...(error !== undefined && { error }),
  };
}

function withNote({ notes = [], differences, error, ...rest }: SoundResult): SoundResult {
  return {
    ...rest,
    notes: [...notes, RESULTS_SHORTENED],
    ...(differences !== undefined && { differences }),
    ...(error !== undefined && { error }),
  };
}

/**
 * Deals out the room in rounds: each sound's first entry, then each one's second. A list ends where one doesn't fit.
 */
function dealt<Entry>(
  results: SoundResults,
  room: { bytes: number },
  listOf: (result: SoundResult) => readonly Entry[] | undefined,
): ReadonlyMap<string, readonly Entry[]> {
  const open = Object.entries(results).map(([id, result]) => ({
    id,
    left: listOf(result) ?? [],
    kept: new Array<Entry>(),
  }));
  const rounds = Math.max(0, ...open.map(({ left }) => left.length));
  for (let round = 0; round < rounds; round += 1) {
    for (const { left, kept } of open) {
      const entry = left[round];
      if (entry === undefined || kept.length < round) continue;
      // With its comma.
      const bytes = jsonBytes(entry) + 1;
      if (bytes > room.bytes) continue;
      room.bytes -= bytes;
      kept.push(entry);
    }
  }
  return new Map(open.map(({ id, kept }) => [id, kept]));
}

function mapped(
  results: SoundResults,
  change: (result: SoundResult, id: string) => SoundResult,
): SoundResults {
  const changed: Record<string, SoundResult> = Object.create(null);
  for (const [id, result] of Object.entries(results)) changed[id] = change(result, id);
  return changed;
}

function jsonBytes(value: unknown): number {
  return utf8Length(JSON.stringify(value));
}
