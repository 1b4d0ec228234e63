import type { VNode } from "preact";
import { useEffect, useMemo, useState } from "preact/hooks";
import { ClipList } from "../../kit/clip-list/clip-list.tsx";
import type { ClipRow, ClipSelection, ClipTicks } from "../../kit/clip-list/clip-row.ts";
import { t } from "../../kit/page-language.ts";
import { usePanel } from "../panel-store.ts";
import { clipKeyOf, type PackageAudio } from "./package-audio.ts";
import { soundDragOf } from "./sound-drag.ts";
import { type ChosenSounds, chosenSoundsOf } from "./package-choice.ts";
import { shownStatusOf } from "./package-list.tsx";
import { type PickRow, type RowStatus, usableOf } from "./pick-row.ts";
import type { PanelState, PanelHost, PanelPlan } from "../../../core/protocol/panel-api.ts";
import { ImportBox } from "./import-box.tsx";
import { PackageActions } from "./package-actions.tsx";
import { type RowText, formatRow } from "./row-words.ts";
import { useMoment } from "../use-now.ts";
import type { KnownPlan } from "./use-plan.ts";
import { formatTempo } from "../text/format-sound.ts";

interface PackageSoundsProps {
  readonly row: PickRow;
  readonly state: PanelState;
  /** Time at which the state was read, by `performance.now()`. */
  readonly readAtMs: number;
  readonly known: KnownPlan;
  readonly audio: PackageAudio;
  readonly clips: readonly ClipRow[];
  readonly selection: ClipSelection;
  readonly onSelect: (selection: ClipSelection) => void;
  /** Shows a sound's details. */
  readonly onOpen: () => void;
}

/** The selected package: its actions, its result, and its sounds. */
export function PackageSounds(props: PackageSoundsProps): VNode {
  const { row, state, readAtMs, known, audio, clips, selection, onSelect, onOpen } = props;
  const { store } = usePanel();
  const moment = useMoment(readAtMs);
  const status = shownStatusOf(row, moment);
  const choice = store.choiceOf(row.key);
  const { plan } = known;
  const sounds = useMemo(() => chosenSoundsOf(row, choice, plan), [row, choice, plan]);
  const canSet = status === "waiting" || status === "failed";
  const tempoBpm = canSet ? tempoToOffer(plan, state.host) : null;
  const heardBpm = choice.setsTempo && tempoBpm !== null ? tempoBpm : state.host.tempoBpm;
  audio.know(plan);
  useEffect(() => audio.setTempo(heardBpm), [audio, heardBpm]);
  // This stays the same object while nothing in it changes, because each row is drawn again for a new one.
  const ticks = useMemo(() => {
    const tick = (ids: readonly string[], isOn: boolean): void => {
      const changed = new Map(store.choiceOf(row.key).ticks);
      for (const id of ids) changed.set(id, isOn);
      store.choose(row.key, { ticks: changed });
    };
    return ticksOf(row, status, sounds, tick);
  }, [row, status, sounds, store]);
  return (
    <>
      <PackageBar
        {...{ row, status, state, known, sounds, audio, tempoBpm }}
        words={formatRow(row, status, moment)}
      />
      <ClipList
        key={row.key}
        label={t("panel.sounds-of", { title: row.title })}
        rows={clips}
        audio={audio}
        selection={selection}
        onSelect={onSelect}
        onOpen={onOpen}
        {...soundDragOf(store, row)}
        {...(usableOf(row) !== null && { ticks })}
      />
    </>
  );
}

/** Ticks can be changed unless an import runs. */
function ticksOf(
  row: PickRow,
  status: RowStatus,
  { all, fixed, ticked }: ChosenSounds,
  onTick: (ids: readonly string[], isOn: boolean) => void,
): ClipTicks {
  const keys = new Map(all.map((id) => [clipKeyOf(row, id), id]));
  const keysOf = (ids: ReadonlySet<string>): ReadonlySet<string> =>
    new Set([...ids].map((id) => clipKeyOf(row, id)));
  const canChoose = ["waiting", "failed", "done"].includes(status);
  return {
    ticked: keysOf(ticked),
    fixed: keysOf(canChoose ? fixed : new Set(all)),
    onTick: (ticks, isOn) =>
      onTick(
        ticks.flatMap((key) => keys.get(key) ?? []),
        isOn,
      ),
  };
}

interface PackageBarProps {
  readonly row: PickRow;
  readonly status: RowStatus;
  readonly words: RowText;
  readonly state: PanelState;
  readonly known: KnownPlan;
  readonly sounds: ChosenSounds;
  readonly audio: PackageAudio;
  /** The tempo that can be set with the import; null offers none. */
  readonly tempoBpm: number | null;
}

/** A package's actions and its result. The bar's height never changes (rule N13). */
function PackageBar(props: PackageBarProps): VNode {
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

interface PlayTogetherProps {
  readonly audio: PackageAudio;
  /** The ticked sounds. */
  readonly ticked: ReadonlySet<string>;
  /** Number of ticked loops that can be played. */
  readonly count: number;
}

/**
 * Plays the ticked loops in sync, like the scene that they become. With fewer than two loops it is empty and keeps its
 * room.
 */
function PlayTogether({ audio, ticked, count }: PlayTogetherProps): VNode {
  const [isOn, setIsOn] = useState(audio.isSceneOn);
  useEffect(() => {
    const look = (): void => setIsOn(audio.isSceneOn);
    look();
    return audio.subscribe(look);
  }, [audio]);
  return (
    <div class="play-together">
      {(count > 1 || isOn) && (
        <button type="button" aria-pressed={isOn} onClick={() => void audio.toggleScene(ticked)}>
          {isOn ? t("panel.stop") : t("panel.play-loops", { count })}
        </button>
      )}
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
    <label class="choice">
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

/** Returns the loops' common tempo if the session's is known and differs; else null. */
function tempoToOffer(
  plan: PanelPlan | null,
  { tempoBpm }: Pick<PanelHost, "tempoBpm">,
): number | null {
  const wanted = plan?.tempoBpm ?? null;
  if (wanted === null || tempoBpm === null) return null;
  return Math.abs(wanted - tempoBpm) > 0.005 ? wanted : null;
}
