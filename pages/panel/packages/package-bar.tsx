import type { VNode } from "preact";
import type { PanelState } from "../../../core/protocol/panel-api.ts";
import { usePanel } from "../panel-context.ts";
import type { PackageAudio } from "../sounds/package-audio.ts";
import { PlayTogether } from "../sounds/play-together.tsx";
import { ImportBox } from "./import-box.tsx";
import { PackageActions } from "./package-actions.tsx";
import type { ChosenSounds } from "./package-choice.ts";
import type { PickRow, RowStatus } from "./pick-row.ts";
import type { RowWords } from "./row-words.ts";
import { TempoChoice } from "./tempo-choice.tsx";
import type { KnownPlan } from "./use-plan.ts";

export interface PackageBarProps {
  readonly row: PickRow;
  readonly status: RowStatus;
  readonly words: RowWords;
  readonly state: PanelState;
  readonly known: KnownPlan;
  readonly sounds: ChosenSounds;
  readonly audio: PackageAudio;
  /** The tempo that can be set with the import; null offers none. */
  readonly tempoBpm: number | null;
}

/** What can be done with a package, and what became of it; its height never changes (rule N13). */
export function PackageBar(props: PackageBarProps): VNode {
  const { row, status, words, state, known, sounds, audio, tempoBpm } = props;
  const { store } = usePanel();
  const { setsTempo } = store.choiceOf(row.key);
  const error = store.view.errors.get(row.key) ?? known.error;
  return (
    <div class="package-bar">
      <ImportBox
        row={row}
        status={status}
        plan={known.plan}
        tempoBpm={setsTempo ? tempoBpm : null}
      />
      <PlayTogether audio={audio} ticked={sounds.ticked} count={audio.countLoops(sounds.ticked)} />
      <PackageActions row={row} status={status} state={state} sounds={sounds} />
      <div class="package-line">
        <p
          class={`package-words tone ${error === null ? words.tone : "bad"}`}
          role={error === null ? undefined : "alert"}
        >
          {error ?? words.words}
        </p>
        <div class="package-tempo">
          {tempoBpm !== null && (
            <TempoChoice
              tempoBpm={tempoBpm}
              host={state.host}
              isOn={setsTempo}
              onChange={(isOn) => store.choose(row.key, { setsTempo: isOn })}
            />
          )}
        </div>
      </div>
    </div>
  );
}
