import { isJsonObject, type JsonObject } from "../../../../core/text/json-object.ts";

/** The answer to `place`: what was made and read back (docs/use/live.md). */
export interface OutcomeMessage {
  readonly run: string;
  readonly scene: { readonly name: string | null; readonly color: number | null };
  readonly tracks: readonly OutcomeTrack[];
  /** Names of what could not be removed of sounds that failed. */
  readonly stays: readonly string[];
}

export interface OutcomeTrack {
  readonly sound: string;
  /** The clip is on a track of an earlier import. */
  readonly isReused: boolean;
  /** Such a sound's track was removed. */
  readonly error: { readonly step: string; readonly message: string } | null;
  /** Index of the attempt that Live took. */
  readonly attempt: number;
  readonly refused: readonly { readonly setting: string; readonly message: string }[];
  readonly holds: HeldMessage;
}

/** Live's own values; null is what Live doesn't tell. */
export interface HeldMessage {
  readonly track: string | null;
  readonly track_color: number | null;
  /** The fader's raw value. */
  readonly volume: number | null;
  readonly armed: boolean | null;
  readonly input: string | null;
  /** The clip's. */
  readonly name: string | null;
  readonly color_index: number | null;
  readonly file_path: string | null;
  readonly warping: boolean | null;
  readonly warp_mode: number | null;
  readonly looping: boolean | null;
  /** Beats if warped, seconds if not, as the next three. Without a loop, where the clip starts and ends. */
  readonly loop_start: number | null;
  readonly loop_end: number | null;
  /** Means nothing without a loop. */
  readonly start_marker: number | null;
  /** Seconds and beats, a hidden last one included. */
  readonly markers: readonly (readonly [seconds: number, beats: number])[] | null;
  readonly gain: number | null;
  readonly gain_display_string: string | null;
  readonly pitch_coarse: number | null;
  readonly pitch_fine: number | null;
}

/** A track of the Set; the rest is its mark, absent on tracks that aren't ours. */
export interface SetTrack {
  readonly track: string;
  readonly run: string | null;
  readonly package: string | null;
  readonly sound: string | null;
  readonly done: boolean;
  /** It was there before its run, which added only a clip. */
  readonly isReused: boolean;
}

/** What the Set knows of a run that was cut off. */
export interface UnfinishedRun {
  /** The scene's name. */
  readonly scene: string;
  /** How many the Set had before. */
  readonly scenes: number;
  readonly tracks: number;
}

/** The answer to `look`. */
export interface LookMessage {
  readonly tempo: number | null;
  /** Names, from top to bottom. */
  readonly scenes: readonly string[];
  /** From left to right. */
  readonly tracks: readonly SetTrack[];
  /** By run. */
  readonly unfinished: ReadonlyMap<string, UnfinishedRun>;
  /** Id of the active run. */
  readonly running: string | null;
  /** The kept outcome of the run that was asked for. */
  readonly outcome: OutcomeMessage | null;
}

/** Reads an outcome. Whatever is not as it should be counts as not told. */
export function readOutcome(message: JsonObject): OutcomeMessage {
  const scene = objectOf(message["scene"]);
  return {
    run: String(message["run"]),
    scene: { name: textOf(scene["name"]), color: numberOf(scene["color"]) },
    tracks: objectsOf(message["tracks"]).map(readTrack),
    stays: textsOf(message["stays"]),
  };
}

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
  const { scene, scenes, tracks } = objectOf(note);
  return {
    scene: textOf(scene) ?? "",
    scenes: numberOf(scenes) ?? 0,
    tracks: numberOf(tracks) ?? 0,
  };
}

function readTrack(track: JsonObject): OutcomeTrack {
  const { error } = track;
  return {
    sound: String(track["sound"]),
    isReused: isJsonObject(track["earlier"]),
    error: isJsonObject(error)
      ? { step: String(error["step"]), message: textOf(error["message"]) ?? "" }
      : null,
    attempt: numberOf(track["attempt"]) ?? 0,
    refused: objectsOf(track["refused"]).map((each) => ({
      setting: String(each["setting"]),
      message: textOf(each["message"]) ?? "",
    })),
    holds: readHolds(objectOf(track["holds"])),
  };
}

function readHolds(holds: JsonObject): HeldMessage {
  return {
    track: textOf(holds["track"]),
    track_color: numberOf(holds["track_color"]),
    volume: numberOf(holds["volume"]),
    armed: flagOf(holds["armed"]),
    input: textOf(holds["input"]),
    name: textOf(holds["name"]),
    color_index: numberOf(holds["color_index"]),
    file_path: textOf(holds["file_path"]),
    warping: flagOf(holds["warping"]),
    warp_mode: numberOf(holds["warp_mode"]),
    looping: flagOf(holds["looping"]),
    loop_start: numberOf(holds["loop_start"]),
    loop_end: numberOf(holds["loop_end"]),
    start_marker: numberOf(holds["start_marker"]),
    markers: pairsOf(holds["markers"]),
    gain: numberOf(holds["gain"]),
    gain_display_string: textOf(holds["gain_display_string"]),
    pitch_coarse: numberOf(holds["pitch_coarse"]),
    pitch_fine: numberOf(holds["pitch_fine"]),
  };
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

/** Returns null unless all are pairs: a marker that is left out would look like a straight line. */
function pairsOf(value: unknown): readonly (readonly [number, number])[] | null {
  if (!Array.isArray(value)) return null;
  const pairs = value.map(pairOf).filter((pair) => pair !== undefined);
  return pairs.length === value.length ? pairs : null;
}
