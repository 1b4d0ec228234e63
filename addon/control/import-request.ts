import { isJsonObject } from "../../core/text/json-object.ts";
import { MAX_BPM, MIN_BPM } from "../../core/limits.ts";
import { type ImportOptions, isPackageId } from "../runs/importer-calls.ts";
import { ControlError } from "./control-call.ts";

/** A wish of the panel's that was judged. */
export interface ParsedImportRequest {
  readonly packageId: string;
  readonly options: Pick<ImportOptions, "again" | "takeOver" | "sessionTempoBpm">;
}

/**
 * Reads an `ImportRequest` (core/protocol/panel-api.ts), as the panel posts it and as the page in Live's
 * dialog answers with it. It can name a package that the importer offers, never a folder.
 * @throws {ControlError} 400 with a sentence
 */
export function parseImportRequest(value: unknown): ParsedImportRequest {
  const { package_id: packageId, ...how } = isJsonObject(value) ? value : {};
  if (typeof packageId !== "string" || !isPackageId(packageId)) {
    throw new ControlError(400, "package_id must be the id of a package.");
  }
  return { packageId, options: parseImportOptions(how) };
}

/**
 * Reads how a package is to be imported.
 * @throws {ControlError} 400 with a sentence
 */
export function parseImportOptions(
  how: Readonly<Record<string, unknown>>,
): ParsedImportRequest["options"] {
  const { session_tempo_bpm: tempo } = how;
  return {
    again: parseFlag(how, "again"),
    takeOver: parseFlag(how, "take_over"),
    ...(tempo !== undefined && { sessionTempoBpm: parseTempo(tempo) }),
  };
}

/**
 * Reads which of the importer's hosts another program means; nothing for its own (rule R7).
 * @throws {ControlError} 400 with a sentence
 */
export function parseHostChoice({
  host,
}: Readonly<Record<string, unknown>>): Pick<ImportOptions, "host"> {
  if (host === undefined) return {};
  if (typeof host !== "string") throw new ControlError(400, "host must be a string.");
  return { host };
}

function parseFlag(how: Readonly<Record<string, unknown>>, name: string): boolean {
  const value = how[name] ?? false;
  if (typeof value !== "boolean") throw new ControlError(400, `${name} must be true or false.`);
  return value;
}

function parseTempo(value: unknown): number {
  if (typeof value === "number" && value >= MIN_BPM && value <= MAX_BPM) return value;
  throw new ControlError(400, `session_tempo_bpm must be from ${MIN_BPM} to ${MAX_BPM}.`);
}
