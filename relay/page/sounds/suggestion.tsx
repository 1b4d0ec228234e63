import type { VNode } from "preact";
import { type LoopSuggestion, suggestLoop } from "../../../core/layout/suggest-loop.ts";
import { formatNumber } from "../../../core/text/format-number.ts";
import { usePage } from "../page-context.ts";
import type { PageSound } from "./page-sound.ts";
import { formatBeats } from "./plan-sound.ts";

const BECAUSE: Readonly<Record<LoopSuggestion["because"], string>> = {
  tempo: "Its length fits the tempo above",
  acid: "The file says so (ACID), and its length agrees",
  smpl: "The file says it is one whole loop (smpl)",
  length: "Its length fits exactly",
};

interface SuggestionProps {
  readonly sound: PageSound;
  readonly packageBpm: number | undefined;
}

/** A suggestion for a sound, to accept or dismiss; nothing applies without the user. */
export function Suggestion({ sound, packageBpm }: SuggestionProps): VNode | null {
  const { sounds } = usePage();
  const { key, name, header, hints } = sound;
  if (sound.isSuggestionDone || sound.lengthBeats !== "" || sound.bpm !== "") return null;
  const loop = suggestLoop(header, hints, packageBpm);
  if (loop === null) return null;
  const { lengthBeats, tempoBpm, because } = loop;
  const accept = (): void => {
    sounds.choose(key, {
      kind: "loop",
      lengthBeats: formatNumber(lengthBeats),
      bpm: formatNumber(tempoBpm),
      isSuggestionDone: true,
    });
    document.getElementById(`${key}-kind`)?.focus();
  };
  const dismiss = (): void => {
    sounds.choose(key, { isSuggestionDone: true });
    document.getElementById(`${key}-kind`)?.focus();
  };
  return (
    <div class="suggestion">
      <p>
        A loop of {formatBeats(lengthBeats)} at {formatNumber(tempoBpm)} BPM?{" "}
        <span class="quiet">{BECAUSE[because]}.</span>
      </p>
      <div class="buttons">
        <button type="button" aria-label={`Yes, ${name} is such a loop`} onClick={accept}>
          Yes
        </button>
        <button type="button" class="plain" aria-label={`No, ${name} is not`} onClick={dismiss}>
          No
        </button>
      </div>
    </div>
  );
}
