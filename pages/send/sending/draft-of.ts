import { PAGE_APP } from "../../../core/protocol/page-app.ts";
import type { PackageDraft, SoundDraft } from "../../../client/send/package-draft.ts";
import { cleanTitle } from "../../../core/text/clean-text.ts";
import type { PageView } from "../page-view.ts";
import { choiceOf, type PageSound } from "../sounds/page-sound.ts";
import { guessedTitle, tempoOf } from "../sounds/guessed-package.ts";
import { BEATS, BPM, GAIN, numberOf } from "../sounds/read-number.ts";
import { t } from "../../kit/page-language.ts";
import { describeSound } from "../sounds/plan-sound.ts";
import type { SentSound } from "./sent-item.ts";

type Described = Pick<PageView, "title" | "bpm" | "sounds">;

/** Returns the package as it is described on the page. Ids are the sounds' keys. */
export function draftOf(view: Described): PackageDraft {
  return {
    title: titleToSend(view),
    // Scenes and tracks are named after the page, without its browser.
    app: PAGE_APP,
    bpm: numberOf(tempoOf(view), BPM),
    sounds: view.sounds.map(soundDraftOf),
  };
}

/** Returns the typed title, or the guessed one if nothing visible was typed. */
export function titleToSend({ title, sounds }: Described): string {
  return cleanTitle(title ?? "") || guessedTitle(sounds);
}

function soundDraftOf(sound: PageSound): SoundDraft {
  const { name, kind, role, color, gainDb, bpm, lengthBeats } = choiceOf(sound);
  const isLoop = kind === "loop";
  return {
    source: sound.source,
    id: sound.key,
    name: name.trim() === "" ? undefined : name,
    kind: kind ?? undefined,
    role: role ?? undefined,
    lengthBeats: isLoop ? numberOf(lengthBeats, BEATS) : undefined,
    bpm: isLoop ? numberOf(bpm, BPM) : undefined,
    color: color ?? undefined,
    gainDb: numberOf(gainDb, GAIN),
  };
}

/** Describes the sounds for the list of sent packages. */
export function describeSent(view: Pick<PageView, "bpm" | "sounds">): readonly SentSound[] {
  const packageBpm = numberOf(tempoOf(view), BPM);
  return view.sounds.map((sound, index) => {
    const described = describeSound(sound, packageBpm);
    const name = described.name || t("clips.unnamed", { number: index + 1 });
    return { ...described, id: sound.key, name };
  });
}
