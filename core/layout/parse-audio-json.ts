import { isPackageAudio } from "../protocol/schemas/validate.generated.js";
import type { PackageAudioJson } from "./audio-schema.ts";
import { assertOwnIds, formatFaults, NoLayoutError } from "./parse-layout-json.ts";

/**
 * Parses a stored `audio.json` (rule B6). Unknown members stay.
 * @throws {NoLayoutError} if a member is missing or has the wrong type, or if two sounds share an id
 */
export function parseAudioJson(value: unknown): PackageAudioJson {
  if (!isPackageAudio(value)) {
    throw new NoLayoutError(formatFaults("the audio of a layout", isPackageAudio.errors ?? []));
  }
  assertOwnIds(value.sounds, "This is not the audio of a layout: two sounds");
  return value;
}
