import { isJsonObject, type JsonObject } from "../../../../core/text/json-object.ts";

/** The answer to `place`: what was made and read back (docs/control-surface.md). */
export interface OutcomeMessage {
  readonly run: string;
  readonly scene: { readonly name: string | null; readonly color: number | null };
  readonly tracks: readonly OutcomeTrack[];
}

export interface OutcomeTrack {
  readonly sound: string;
  /** Such a sound's track was removed. */
  readonly error: { readonly step: string; readonly message: string } | null;
  /** Index of the attempt that Live took. */
  readonly attempt: number;
  readonly refused: readonly { readonly setting: string; readonly message: string }[];
  readonly holds: HeldMessage;
}

/** Null is what Live doesn't tell. */
export interface HeldMessage {
  readonly track: string | null;
  readonly track_color: number | null;
  readonly clip: string | null;
  readonly clip_color: number | null;
  readonly warping: boolean | null;
  readonly warp_mode: number | null;
  readonly looping: boolean | null;
  /** Beats if warped, seconds if not, as the next three. */
  readonly start: number | null;
  readonly end: number | null;
  readonly loop_start: number | null;
  readonly loop_end: number | null;
  /** Seconds and beats, a hidden last one included. */
  readonly markers: readonly (readonly [seconds: number, beats: number])[] | null;
  readonly gain_display: string | null;
  readonly gain: number | null;
  readonly volume: number | null;
  readonly pitch: readonly [semitones: number, cents: number] | null;
  readonly file: string | null;
  readonly armed: boolean | null;
  readonly input: string | null;
}

/** What the Set has of a package, by the marks on its tracks. */
export interface HeldPart {
  readonly run: string;
  /** null for a scene. */
  readonly sound: string | null;
  /** Name of the track, or of the scene. */
  readonly track: string;
  readonly done: boolean;
}

/** The answer to `look`. */
export interface LookMessage {
  readonly tempo: number | null;
  /** Id of the active run. */
  readonly running: string | null;
  /** The kept outcome of the run that was asked for. */
  readonly outcome: OutcomeMessage | null;
  readonly held: readonly HeldPart[];
}

/** Reads an outcome. Whatever is not as it should be counts as not told. */
export function readOutcome(message: JsonObject): OutcomeMessage {
  const scene = objectOf(message["scene"]);
  return {
    run: String(message["run"]),
    scene: { name: textOf(scene["name"]), color: numberOf(scene["color"]) },
    tracks: objectsOf(message["tracks"]).map(readTrack),
  };
}

export function readLook(message: JsonObject): LookMessage {
  const { tempo, running, outcome, held } = message;
  return {
    tempo: numberOf(tempo),
    running: textOf(running),
    outcome: isJsonObject(outcome) ? readOutcome(outcome) : null,
    held: objectsOf(held).map((part) => ({
      run: String(part["run"]),
      sound: textOf(part["sound"]),
      track: textOf(part["track"]) ?? "",
      done: part["done"] === true,
    })),
  };
}

function readTrack(track: JsonObject): OutcomeTrack {
  const { error } = track;
  return {
    sound: String(track["sound"]),
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
    clip: textOf(holds["clip"]),
    clip_color: numberOf(holds["clip_color"]),
    warping: flagOf(holds["warping"]),
    warp_mode: numberOf(holds["warp_mode"]),
    looping: flagOf(holds["looping"]),
    start: numberOf(holds["start"]),
    end: numberOf(holds["end"]),
    loop_start: numberOf(holds["loop_start"]),
    loop_end: numberOf(holds["loop_end"]),
    markers: pairsOf(holds["markers"]),
    gain_display: textOf(holds["gain_display"]),
    gain: numberOf(holds["gain"]),
    volume: numberOf(holds["volume"]),
    pitch: pairOf(holds["pitch"]) ?? null,
    file: textOf(holds["file"]),
    armed: flagOf(holds["armed"]),
    input: textOf(holds["input"]),
  };
}

function objectOf(value: unknown): JsonObject {
  return isJsonObject(value) ? value : {};
}

function objectsOf(value: unknown): readonly JsonObject[] {
  return Array.isArray(value) ? value.filter(isJsonObject) : [];
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
