import { isJsonObject } from "../../core/text/json-object.ts";
import { MAX_BPM, MAX_ID_LENGTH, MAX_SOUNDS, MIN_BPM } from "../../core/limits.ts";
import { isPackageId } from "../../core/protocol/package-id.ts";
import type { ImportOptions } from "../runs/importer-calls.ts";
import { booleanIn, ControlError, textIn } from "./control-call.ts";

/** Names of some options in requests of the panel; other programs use those of rule K5. */
const PANEL_NAMES = {
  takeOver: "takeOver",
  sessionTempoBpm: "sessionTempoBpm",
  only: "soundIds",
  reuseTracks: "reuseTracks",
};
const PROGRAM_NAMES = {
  takeOver: "take_over",
  sessionTempoBpm: "session_tempo_bpm",
  only: "only",
  reuseTracks: "reuse_tracks",
};

export interface ParsedImportRequest {
  readonly packageId: string;
  readonly options: Pick<
    ImportOptions,
    "again" | "takeOver" | "sessionTempoBpm" | "only" | "reuseTracks" | "host"
  >;
}

/**
 * Parses an `ImportRequest` (core/protocol/panel-api.ts) from the panel, or from the page in Live's
 * dialog. It can name a package that the importer offers, never a folder, and one other host: a DAWproject.
 * @throws {ControlError} 400 with a sentence
 */
export function parseImportRequest(value: unknown): ParsedImportRequest {
  const { packageId, host, ...options } = isJsonObject(value) ? value : {};
  if (typeof packageId !== "string" || !isPackageId(packageId)) {
    throw new ControlError(400, "packageId must be the id of a package.");
  }
  if (host !== undefined && host !== "dawproject") {
    throw new ControlError(400, "host must be dawproject, or absent.");
  }
  return {
    packageId,
    options: { ...parseImportOptions(options, PANEL_NAMES), ...(host !== undefined && { host }) },
  };
}

/** Parses the options of an import. @throws {ControlError} 400 with a sentence */
export function parseImportOptions(
  body: Readonly<Record<string, unknown>>,
  names = PROGRAM_NAMES,
): ParsedImportRequest["options"] {
  const tempo = body[names.sessionTempoBpm];
  const only = body[names.only];
  return {
    again: parseFlag(body, "again"),
    takeOver: parseFlag(body, names.takeOver),
    ...(parseFlag(body, names.reuseTracks) && { reuseTracks: true }),
    ...(only !== undefined && { only: parseSounds(only, names.only) }),
    ...(tempo !== undefined && { sessionTempoBpm: parseTempo(tempo, names.sessionTempoBpm) }),
  };
}

/**
 * Parses the name of one of the importer's hosts; absent for its own hosts (rule R7).
 * @throws {ControlError} 400 with a sentence
 */
export function parseHostChoice(
  body: Readonly<Record<string, unknown>>,
): Pick<ImportOptions, "host"> {
  return body["host"] === undefined ? {} : { host: textIn(body, "host") };
}

/** Parses a list of sounds, and limits its size; the importer knows which sounds the package has. */
function parseSounds(value: unknown, name: string): readonly string[] {
  const isList = Array.isArray(value) && value.length > 0 && value.length <= MAX_SOUNDS;
  if (isList && value.every((each) => typeof each === "string" && each.length <= MAX_ID_LENGTH)) {
    return value;
  }
  throw new ControlError(400, `${name} must be a list of 1 to ${MAX_SOUNDS} sounds.`);
}

/** Parses a flag that is off where it is absent. @throws {ControlError} 400 with a sentence */
export function parseFlag(body: Readonly<Record<string, unknown>>, name: string): boolean {
  return booleanIn({ [name]: body[name] ?? false }, name);
}

function parseTempo(value: unknown, name: string): number {
  if (typeof value === "number" && value >= MIN_BPM && value <= MAX_BPM) return value;
  throw new ControlError(400, `${name} must be from ${MIN_BPM} to ${MAX_BPM}.`);
}
