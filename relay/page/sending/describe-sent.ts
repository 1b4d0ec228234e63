import { t } from "../../../web/page-language.ts";
import type { PageView } from "../page-view.ts";
import { choiceOf } from "../sounds/choice-of.ts";
import { tempoOf } from "../sounds/guessed-package.ts";
import { planSound } from "../sounds/plan-sound.ts";
import { BPM, numberOf } from "../sounds/read-number.ts";
import type { SentSound } from "./sent-item.ts";

/** The sounds as they are remembered once they are sent. */
export function describeSent(view: Pick<PageView, "bpm" | "sounds">): readonly SentSound[] {
  const packageBpm = numberOf(tempoOf(view), BPM);
  return view.sounds.map((sound, index) => {
    const { key: id, header } = sound;
    const { name, kind, role, color } = choiceOf(sound);
    const { tempoBpm, lengthBeats } = planSound(sound, packageBpm);
    return {
      id,
      name: name || t("clips.unnamed", { number: index + 1 }),
      kind,
      role,
      color,
      tempoBpm,
      lengthBeats,
      durationSeconds: header.frames / header.sampleRateHz,
    };
  });
}
