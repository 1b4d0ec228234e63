import type { VNode } from "preact";
import { useEffect, useState } from "preact/hooks";
import type { PanelHost } from "../../../core/protocol/panel-api.ts";
import { t } from "../../kit/page-language.ts";
import { usePanel } from "../panel-store.ts";
import { formatSavedPlace } from "../text/format-saved.ts";
import { formatTempo } from "../text/format-sound.ts";
import { BarSlider } from "../../kit/playback/bar-slider.tsx";
import { ImportBox } from "./import-box.tsx";
import { NextStep } from "./next-step.tsx";
import { formatDaw } from "./other-daw.ts";
import { CancelSlot, PackageActions, type PackageActionsProps } from "./package-actions.tsx";
import type { PackageAudio } from "./package-audio.ts";
import { isSavedRow, soundResultsOf } from "./pick-row.ts";
import type { RowText } from "./row-words.ts";
import { Slot } from "./slot.tsx";
import type { KnownPlan } from "./use-plan.ts";

interface PackageBarProps extends PackageActionsProps {
  readonly words: RowText;
  readonly known: KnownPlan;
  readonly audio: PackageAudio;
  /** The tempo that can be set with the import; null offers none. */
  readonly tempoBpm: number | null;
  readonly onSetUpLive: () => void;
}

/**
 * A package's actions and its result. Each button and each text has its own room, so nothing covers anything, and the
 * bar's height depends only on the window and the language (rules N13 and N21).
 */
export function PackageBar(props: PackageBarProps): VNode {
  const { row, status, state, known, sounds, audio, tempoBpm, onSetUpLive } = props;
  const { store } = usePanel();
  const { setsTempo } = store.choiceOf(row.key);
  const about = { row, status, state, sounds };
  return (
    <div class="package-bar">
      <div class="bar-top">
        <ImportBox
          row={row}
          status={status}
          plan={known.plan}
          tempoBpm={setsTempo ? tempoBpm : null}
        />
        <CancelSlot {...about} />
        <PackageActions {...about} />
      </div>
      <PlayTogether audio={audio} />
      <div class="bar-bottom">
        <PackageWords {...props} />
        <div class="bar-next">
          <NextStep {...about} onSetUpLive={onSetUpLive} />
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

/** The result or the error, the room in the Set, and the file for another DAW. */
function PackageWords(props: PackageBarProps): VNode {
  const { row, state, known, words } = props;
  const { store } = usePanel();
  const error = store.view.errors.get(row.key) ?? known.error;
  if (error !== null) {
    return (
      <div class="package-words tone bad" role="alert">
        <p>{error}</p>
      </div>
    );
  }
  const room = roomWords(props);
  const daw = formatDaw(row, state);
  return (
    <div class="package-words">
      {room !== "" && <p class="tone mixed">{room}</p>}
      <p class={`tone ${words.tone}`}>{resultWords(props)}</p>
      {daw !== "" && <p class="quiet">{daw}</p>}
    </div>
  );
}

/** Returns the row's words, or where the package was saved. */
function resultWords({ row, status, state, words }: PackageBarProps): string {
  if (status !== "done" || !isSavedRow(row)) return words.words;
  const result = row.past?.result;
  const folder = result !== undefined && "outcome" in result ? result.outcome.folder : null;
  return formatSavedPlace(soundResultsOf(row), folder ?? row.title, state);
}

/** Says how many tracks the Set has room for, if more sounds are ticked (rule N22). */
function roomWords({ row, status, state, sounds }: PackageBarProps): string {
  const { room } = state.host;
  const isLeft =
    status === "done" &&
    (isSavedRow(row) || soundResultsOf(row).some((result) => result.status !== "imported"));
  const canImport = status === "waiting" || status === "failed" || isLeft;
  if (room === null || !canImport || sounds.ticked.size <= room.tracks) return "";
  return room.tracks === 0 ? t("panel.room-none") : t("panel.room", { count: room.tracks });
}

/**
 * Plays all sounds in sync, like the scene that they become, from any bar (rule N30). With fewer than two sounds it is
 * empty and keeps its room.
 */
function PlayTogether({ audio }: { readonly audio: PackageAudio }): VNode {
  const { player } = usePanel();
  const [isOn, setIsOn] = useState(audio.isSceneOn);
  useEffect(() => {
    const look = (): void => setIsOn(audio.isSceneOn);
    look();
    return audio.subscribe(look);
  }, [audio]);
  const { packageId, beatsPerBar } = audio;
  const canPlay = audio.soundCount > 1 || isOn;
  return (
    <div class="bar-play">
      <Slot name="play-together" words={[t("panel.play-all"), t("panel.stop")]}>
        {canPlay && (
          <button type="button" aria-pressed={isOn} onClick={() => void audio.toggleScene()}>
            {isOn ? t("panel.stop") : t("panel.play-all")}
          </button>
        )}
      </Slot>
      <div class={`bars-place ${canPlay ? "" : "empty"}`}>
        <BarSlider
          key={packageId}
          {...{ player, beatsPerBar }}
          sceneKey={packageId}
          beats={audio.sceneBeats}
        />
      </div>
    </div>
  );
}

interface TempoChoiceProps {
  readonly tempoBpm: number;
  readonly host: PanelHost;
  readonly isOn: boolean;
  readonly onChange: (isOn: boolean) => void;
}

/** Offers to set the session's tempo with the import (rule N5). */
function TempoChoice({ tempoBpm, host, isOn, onChange }: TempoChoiceProps): VNode {
  return (
    <label class="choice package-tempo">
      <input
        type="checkbox"
        checked={isOn}
        onChange={({ currentTarget }) => onChange(currentTarget.checked)}
      />
      <span>
        {t("panel.set-tempo", { tempo: formatTempo(tempoBpm) })}{" "}
        <small>
          {t(host.name === "live" ? "panel.set-tempo-now-live" : "panel.set-tempo-now", {
            tempo: formatTempo(host.tempoBpm ?? 0),
          })}
        </small>
      </span>
    </label>
  );
}
