import type { PackageDraft, SoundDraft } from "../../../client/package-draft.ts";
import type { PageView } from "../page-view.ts";
import type { PageSound } from "../sounds/page-sound.ts";
import { BEATS, BPM, GAIN, numberOf, readNumber } from "../sounds/read-number.ts";

/** The package as described on the page. Ids are the sounds' keys. */
export function draftOf({ title, bpm, sounds }: PageView): PackageDraft {
  return {
    title: title.trim() === "" ? undefined : title,
    bpm: numberOf(bpm, BPM),
    sounds: sounds.map(soundDraftOf),
  };
}

/** The `name` of the first invalid field, as `<key>.<field>`; null if all fields are valid. */
export function firstWrongField({ bpm, sounds }: PageView): string | null {
  if (typeof readNumber(bpm, BPM) === "string") return "package.bpm";
  for (const { key, kind, lengthBeats, bpm, gainDb } of sounds) {
    if (kind === "loop" && typeof readNumber(lengthBeats, BEATS) === "string")
      return `${key}.beats`;
    if (kind === "loop" && typeof readNumber(bpm, BPM) === "string") return `${key}.bpm`;
    if (typeof readNumber(gainDb, GAIN) === "string") return `${key}.gain`;
  }
  return null;
}

function soundDraftOf(sound: PageSound): SoundDraft {
  const { key, source, name, kind, role, color } = sound;
  const isLoop = kind === "loop";
  return {
    source,
    id: key,
    name: name.trim() === "" ? undefined : name,
    kind,
    role: role ?? undefined,
    lengthBeats: isLoop ? numberOf(sound.lengthBeats, BEATS) : undefined,
    bpm: isLoop ? numberOf(sound.bpm, BPM) : undefined,
    color: color ?? undefined,
    gainDb: numberOf(sound.gainDb, GAIN),
  };
}
