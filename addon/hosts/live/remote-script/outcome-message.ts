import { isJsonObject, type JsonObject } from "../../../../core/text/json-object.ts";

/** The answer to `place`: everything that was made and read back (docs/use/live.md). */
export interface OutcomeMessage {
  readonly run: string;
  readonly scene: OutcomeScene;
  readonly tracks: readonly OutcomeTrack[];
  /** Names of tracks that could not be removed although their sounds failed. */
  readonly stays: readonly string[];
}

export interface OutcomeScene {
  readonly name: string | null;
  readonly color: number | null;
  /** True if Live made no scene, and an empty one of the Set was taken. */
  readonly isTaken: boolean;
}

export interface OutcomeTrack {
  readonly sound: string;
  /** True if the clip is on a track of an earlier import. */
  readonly isReused: boolean;
  /** The step that failed, after which the sound's track was removed; null if none did. */
  readonly error: { readonly step: string; readonly message: string } | null;
  /** Set if Live had no room for the sound, and nothing was made of it: how many of what the Set has. */
  readonly skipped: { readonly what: string; readonly count: number } | null;
  /** True if a person changed the clip, undid it, or worked on it when it was to be set again: it was left alone. */
  readonly isTouched: boolean;
  /** True if a person undid something since the clip was made. */
  readonly isUndone: boolean;
  /** The names of the values in `holds` that a person changed, never the markers; `clip` where they removed it. */
  readonly changed: ReadonlySet<string>;
  /** The index of the attempt that Live accepted. */
  readonly attempt: number;
  readonly refused: readonly { readonly setting: string; readonly message: string }[];
  readonly holds: HeldMessage;
}

/** The reader of each value that a clip and its track hold. */
const HOLDS = {
  track: textOf,
  track_color: numberOf,
  /** The raw value of the fader. */
  volume: numberOf,
  armed: flagOf,
  input: textOf,
  /** The clip's name. */
  name: textOf,
  color_index: numberOf,
  file_path: textOf,
  warping: flagOf,
  warp_mode: numberOf,
  looping: flagOf,
  /** Beats if warped, seconds if not, like the next three. Without a loop, start and end of the clip. */
  loop_start: numberOf,
  loop_end: numberOf,
  /** The clip's start, which means nothing without a loop. */
  start_marker: numberOf,
  end_marker: numberOf,
  /** The warp markers, as pairs of seconds and beats, a hidden last one included. */
  markers: pairsOf,
  gain: numberOf,
  gain_display_string: textOf,
  pitch_coarse: numberOf,
  pitch_fine: numberOf,
};

/** Live's own values; null where Live doesn't tell. */
export type HeldMessage = {
  readonly [Name in keyof typeof HOLDS]: ReturnType<(typeof HOLDS)[Name]>;
};

/** A track of the Set and its mark, which only Soundferry's tracks have. */
export interface SetTrack {
  readonly track: string;
  readonly run: string | null;
  readonly package: string | null;
  readonly sound: string | null;
  readonly done: boolean;
  /** True if the track existed before its run, which added only a clip. */
  readonly isReused: boolean;
}

/** The Set's note of a run that was cut off. */
export interface UnfinishedRun {
  /** The scene's name. */
  readonly scene: string;
  /** The number of scenes that the Set had before. */
  readonly scenes: number;
  /** The number of tracks that the Set had before. */
  readonly tracks: number;
  /** True if the run took a scene that the Set had. */
  readonly isSceneTaken: boolean;
}

/** The answer to `look`. */
export interface LookMessage {
  readonly tempo: number | null;
  /** The scenes' names, from top to bottom. */
  readonly scenes: readonly string[];
  /** The tracks, from left to right. */
  readonly tracks: readonly SetTrack[];
  /** Notes of unfinished runs, by run id. */
  readonly unfinished: ReadonlyMap<string, UnfinishedRun>;
  /** The id of the active run. */
  readonly running: string | null;
  /** The kept outcome of the requested run. */
  readonly outcome: OutcomeMessage | null;
}

/** Reads an outcome; a value of the wrong type counts as not told. */
export function readOutcome(message: JsonObject): OutcomeMessage {
  const scene = objectOf(message["scene"]);
  return {
    run: String(message["run"]),
    scene: {
      name: textOf(scene["name"]),
      color: numberOf(scene["color"]),
      isTaken: scene["taken"] === true,
    },
    tracks: objectsOf(message["tracks"]).map(readTrack),
    stays: textsOf(message["stays"]),
  };
}

/** Reads the answer to `look` in the same way. */
export function readLook(message: JsonObject): LookMessage {
  const { tempo, scenes, running, outcome } = message;
  return {
    tempo: numberOf(tempo),
    scenes: textsOf(scenes),
    tracks: objectsOf(message["tracks"]).map((each) => ({
      track: textOf(each["track"]) ?? "",
      run: textOf(each["run"]),
      package: textOf(each["package"]),
      sound: textOf(each["sound"]),
      done: each["done"] === true,
      isReused: isJsonObject(each["earlier"]),
    })),
    unfinished: new Map(
      Object.entries(objectOf(message["unfinished"])).map(([run, note]) => [run, readNote(note)]),
    ),
    running: textOf(running),
    outcome: isJsonObject(outcome) ? readOutcome(outcome) : null,
  };
}

function readNote(note: unknown): UnfinishedRun {
  const { scene, scenes, tracks, taken } = objectOf(note);
  return {
    scene: textOf(scene) ?? "",
    scenes: numberOf(scenes) ?? 0,
    tracks: numberOf(tracks) ?? 0,
    isSceneTaken: isJsonObject(taken),
  };
}

function readTrack(track: JsonObject): OutcomeTrack {
  const { error, skipped } = track;
  return {
    sound: String(track["sound"]),
    isReused: isJsonObject(track["earlier"]),
    error: isJsonObject(error)
      ? { step: String(error["step"]), message: textOf(error["message"]) ?? "" }
      : null,
    skipped: isJsonObject(skipped)
      ? { what: String(skipped["what"]), count: numberOf(skipped["count"]) ?? 0 }
      : null,
    isTouched: track["touched"] === true,
    isUndone: track["undone"] === true,
    changed: new Set(textsOf(track["changed"])),
    attempt: numberOf(track["attempt"]) ?? 0,
    refused: objectsOf(track["refused"]).map((each) => ({
      setting: String(each["setting"]),
      message: textOf(each["message"]) ?? "",
    })),
    holds: readHolds(objectOf(track["holds"])),
  };
}

function readHolds(holds: JsonObject): HeldMessage {
  const values = Object.entries(HOLDS).map(([name, read]) => [name, read(holds[name])]);
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- each value has the type of its reader
  return Object.fromEntries(values) as HeldMessage;
}

function objectOf(value: unknown): JsonObject {
  return isJsonObject(value) ? value : {};
}

function objectsOf(value: unknown): readonly JsonObject[] {
  return Array.isArray(value) ? value.filter(isJsonObject) : [];
}

function textsOf(value: unknown): readonly string[] {
  return Array.isArray(value) ? value.filter((each) => typeof each === "string") : [];
}

function textOf(value: unknown): string | null {
  return typeof value === "string" ? value : null;
}

function numberOf(value: unknown): number | null {
  return typeof value === "number" ? value : null;
}

function flagOf(value: unknown): boolean | null {
  return typeof value === "boolean" ? value : null;
}

function pairOf(value: unknown): readonly [number, number] | undefined {
  if (!Array.isArray(value)) return undefined;
  const [one, other]: readonly unknown[] = value;
  return typeof one === "number" && typeof other === "number" ? [one, other] : undefined;
}

/** Reads pairs of numbers; returns null unless all are pairs, because a missing marker would look like a straight line. */
function pairsOf(value: unknown): readonly (readonly [number, number])[] | null {
  if (!Array.isArray(value)) return null;
  const pairs = value.map(pairOf).filter((pair) => pair !== undefined);
  return pairs.length === value.length ? pairs : null;
}
