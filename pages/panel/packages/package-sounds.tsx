import type { VNode } from "preact";
import { useEffect, useMemo } from "preact/hooks";
import { ClipList } from "../../kit/clip-list/clip-list.tsx";
import type { ClipMixer, ClipRow, ClipSelection, ClipTicks } from "../../kit/clip-list/clip-row.ts";
import { t } from "../../kit/page-language.ts";
import { usePicked } from "../../kit/use-view.ts";
import { usePanel } from "../panel-store.ts";
import { clipKeyOf, type PackageAudio } from "./package-audio.ts";
import { soundDragOf } from "./sound-drag.ts";
import { type ChosenSounds, chosenSoundsOf } from "./package-choice.ts";
import { shownStatusOf } from "./package-list.tsx";
import { type PickRow, type RowStatus, usableOf } from "./pick-row.ts";
import type { PanelState, PanelHost, PanelPlan } from "../../../core/protocol/panel-api.ts";
import { PackageBar } from "./package-bar.tsx";
import { formatRow } from "./row-words.ts";
import { useMoment } from "../use-now.ts";
import type { KnownPlan } from "./use-plan.ts";

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
  /** Shows the steps that set up Live. */
  readonly onSetUpLive: () => void;
}

/** The selected package: its actions, its result, and its sounds. */
export function PackageSounds(props: PackageSoundsProps): VNode {
  const { row, state, readAtMs, known, audio, clips, selection, onSelect, onOpen } = props;
  const { onSetUpLive } = props;
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
  const mixer = useMixer(audio);
  return (
    <>
      <PackageBar
        {...{ row, status, state, known, sounds, audio, tempoBpm, onSetUpLive }}
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
        {...(usableOf(row) !== null && { ticks, mixer })}
      />
    </>
  );
}

/** Mute and solo of the sounds, which the player keeps. It stays the same object while nothing in it changes. */
function useMixer(audio: PackageAudio): ClipMixer {
  const { player } = usePanel();
  const muted = usePicked(player, (view) => view.muted);
  const soloed = usePicked(player, (view) => view.soloed);
  return useMemo(
    () => ({
      muted,
      soloed,
      onMute: (key, isOn) => audio.mix(key, "setMuted", isOn),
      onSolo: (key, isOn) => audio.mix(key, "setSolo", isOn),
    }),
    [audio, muted, soloed],
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

/** Returns the loops' common tempo if the session's is known and differs; else null. */
function tempoToOffer(
  plan: PanelPlan | null,
  { tempoBpm }: Pick<PanelHost, "tempoBpm">,
): number | null {
  const wanted = plan?.tempoBpm ?? null;
  if (wanted === null || tempoBpm === null) return null;
  return Math.abs(wanted - tempoBpm) > 0.005 ? wanted : null;
}
