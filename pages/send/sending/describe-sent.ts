import { t } from "../../kit/page-language.ts";
import type { PageView } from "../page-view.ts";
import { describeSound } from "../sounds/describe-sound.ts";
import { tempoOf } from "../sounds/guessed-package.ts";
import { BPM, numberOf } from "../sounds/read-number.ts";
import type { SentSound } from "./sent-item.ts";

/** The sounds as they are remembered once they are sent. */
export function describeSent(view: Pick<PageView, "bpm" | "sounds">): readonly SentSound[] {
  const packageBpm = numberOf(tempoOf(view), BPM);
  return view.sounds.map((sound, index) => {
    const described = describeSound(sound, packageBpm);
    const name = described.name || t("clips.unnamed", { number: index + 1 });
    return { ...described, id: sound.key, name };
  });
}
