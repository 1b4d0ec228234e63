import { isJsonObject, type JsonObject } from "../../core/text/json-object.ts";
import { parseJson } from "../../core/text/parse-json.ts";
import type { LiveFacts } from "../../core/protocol/live-report.ts";
import { CHECK_NAME, CHECK_RUN, CheckFailedError } from "./check.ts";
import { call, get, numberIn, read, set, type Step, take, type Value, type Work } from "./steps.ts";

const KEY = "soundferry";
/** The largest number of slots in a Set to check: a check reads each slot first. */
const MOST_SLOTS = 2000;
const SLOTS_AT_ONCE = 100;
const MARK = JSON.stringify({ run: CHECK_RUN });

/** Returns the steps that make a track of the check and mark it. `before` counts earlier steps of the request. */
export function makeTrack(
  kind: "create_audio_track" | "create_midi_track",
  before = 0,
): readonly Step[] {
  return [
    call([kind], -1),
    call([before, "set_data"], KEY, MARK),
    set([before, "name"], `${CHECK_NAME} track`),
  ];
}

/** Makes the tracks of the check, and finds out how Live makes tracks. */
export function* makeTracks(): Work<LiveFacts> {
  const before = yield* read([], ["tracks"]);
  const selected = yield* take(get("view", "selected_track", "name"));
  const audio = yield makeTrack("create_audio_track");
  const refusal = audio[0]?.error;
  if (refusal) throw new CheckFailedError(`Live made no track: ${refusal}`);
  const midi = yield makeTrack("create_midi_track");
  const selectedThen = yield* take(get("view", "selected_track", "name"));
  const [place = 0] = yield* findOurs();
  const [armed, input] = yield [
    get("tracks", place, "arm"),
    get("tracks", place, "input_routing_type", "display_name"),
  ];
  const inputs = yield* take(get("tracks", place, "available_input_routing_types"));
  const routing = ["tracks", place, "available_input_routing_types"];
  const names = yield places(inputs.value).map((index) => get(...routing, index, "display_name"));
  return {
    are_at_the_end: place === numberIn(before[0]),
    is_armed: armed?.value ?? null,
    input_is_no_input: input?.value === "No Input",
    inputs: names.length,
    offers_no_input: names.some(({ value }) => value === "No Input"),
    making_selects: selectedThen.value !== selected.value,
    midi_error: midi[0]?.error ?? null,
  };
}

/** Lists the indices of the check's tracks, those of an earlier check included. */
export function* findOurs(): Work<readonly number[]> {
  const [count] = yield* read([], ["tracks"]);
  const steps = places(count).map((index) => call(["tracks", index, "get_data"], KEY, "{}"));
  const marks = yield steps;
  return places(count).filter((index) => isOurs(marks[index]?.value));
}

/**
 * Makes sure that the Set has no clips except those that an earlier check left.
 * @throws {CheckFailedError} otherwise, with a sentence
 */
export function* refuseFullSet(): Work<void> {
  const [tracks, scenes] = yield* read([], ["tracks", "scenes"]);
  if (numberIn(tracks) * numberIn(scenes) > MOST_SLOTS) {
    throw new CheckFailedError("This Set is large. Open a new Set in Live, then check again.");
  }
  const ours = new Set(yield* findOurs());
  const slots = places(tracks).flatMap((track) =>
    places(scenes).map((row): [number, (string | number)[]] => [
      track,
      ["tracks", track, "clip_slots", row],
    ]),
  );
  for (let at = 0; at < slots.length; at += SLOTS_AT_ONCE) {
    const some = slots.slice(at, at + SLOTS_AT_ONCE);
    const full = yield some.map(([, slot]) => get(...slot, "has_clip"));
    const names = yield some.map(([, slot]) => get(...slot, "clip", "name"));
    const isForeign = some.some(
      ([track], index) =>
        full[index]?.value === true &&
        !(ours.has(track) && String(names[index]?.value).startsWith(CHECK_NAME)),
    );
    if (isForeign) {
      throw new CheckFailedError("This Set has clips. Open a new Set in Live, then check again.");
    }
  }
}

/** Removes everything that this check, or an interrupted earlier one, made. */
export function* removeOurs(): Work<void> {
  const ours = yield* findOurs();
  const notes = objectIn((yield* take(call(["get_data"], KEY, "{}"))).value);
  const marks = yield ours.map((index) => call(["tracks", index, "get_data"], KEY, "{}"));
  const notesOfRun = [notes[CHECK_RUN], ...marks.map(({ value }) => objectIn(value))];
  const taken = notesOfRun.flatMap((note) =>
    isJsonObject(note) && isJsonObject(note["taken"]) ? [note["taken"]] : [],
  );
  for (const index of ours.toReversed()) yield* take(call(["delete_track"], index));
  for (const index of (yield* findScenes()).toReversed()) yield* removeScene(index, taken[0]);
  if (CHECK_RUN in notes) {
    const { [CHECK_RUN]: _ours, ...others } = notes;
    yield* take(call(["set_data"], KEY, JSON.stringify(others)));
  }
}

/** Removes a scene, or gives it back its name if the check took one that the Set had. */
function* removeScene(index: number, taken: JsonObject | undefined): Work<void> {
  const name = taken?.["name"];
  if (typeof name === "string") yield* take(set(["scenes", index, "name"], name));
  else yield* take(call(["delete_scene"], index));
}

/** Lists the names of the Set's tracks and scenes. */
export function* listThings(): Work<readonly string[]> {
  const names: string[] = [];
  for (const kind of ["tracks", "scenes"]) {
    const [count] = yield* read([], [kind]);
    const results = yield places(count).map((index) => get(kind, index, "name"));
    names.push(...results.map(({ value }) => `${kind} ${value}`));
  }
  return names;
}

/** Returns how many things a list has more than an earlier one, each counted as often as it is there. */
export function countAdded(before: readonly string[], after: readonly string[]): number {
  const left = [...before];
  return after.filter((name) => {
    const index = left.indexOf(name);
    if (index >= 0) left.splice(index, 1);
    return index < 0;
  }).length;
}

function* findScenes(): Work<readonly number[]> {
  const [count] = yield* read([], ["scenes"]);
  const names = yield places(count).map((index) => get("scenes", index, "name"));
  return places(count).filter((index) => String(names[index]?.value).startsWith(CHECK_NAME));
}

function isOurs(data: Value | undefined): boolean {
  return objectIn(data)["run"] === CHECK_RUN;
}

function objectIn(data: Value | undefined): JsonObject {
  const value = typeof data === "string" ? parseJson(data) : undefined;
  return isJsonObject(value) ? value : {};
}

function places(count: Value | undefined): readonly number[] {
  return Array.from({ length: numberIn(count) }, (_, index) => index);
}
