import { countOf } from "../count-of.ts";
import type { ImportedTrack, ImportOutcome } from "../../core/protocol/import-outcome.ts";
import { printSounds, type SoundOutcome } from "../print-sounds.ts";

/** What an import came to, for people: the scene, the folder, and each sound with reasons and differences. */
export function printOutcome(outcome: ImportOutcome): string {
  const folder = outcome.folder === null ? "" : ` Files: ${outcome.folder}`;
  return `${headlineOf(outcome)}${folder}\n\n${printSounds(outcome.tracks.map(soundOf))}`;
}

/** One sentence, such as `Kitchen Kit (Spoon): 7 of 8 sounds imported.` */
export function headlineOf({ scene, tracks }: ImportOutcome): string {
  const imported = tracks.filter(({ status }) => status === "imported").length;
  return `${scene.name}: ${imported} of ${countOf(tracks.length, "sound")} imported.`;
}

function soundOf({
  clip,
  track,
  status,
  file,
  notes,
  differences,
  error,
}: ImportedTrack): SoundOutcome {
  const result = {
    status,
    notes,
    differences,
    ...(status === "imported" && { track }),
    ...(file !== null && { file }),
    ...(error !== null && { error }),
  };
  return { name: clip, result };
}
