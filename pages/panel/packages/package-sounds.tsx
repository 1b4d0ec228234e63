import type { VNode } from "preact";
import { useEffect, useMemo } from "preact/hooks";
import { ClipList } from "../../kit/clip-list/clip-list.tsx";
import type { ClipRow, ClipSelection } from "../../kit/clip-list/clip-row.ts";
import type { ClipTicks } from "../../kit/clip-list/clip-list-props.ts";
import { t } from "../../kit/text.tsx";
import { usePanel } from "../panel-context.ts";
import { clipKeyOf } from "../sounds/clip-key.ts";
import { PackageBar, type PackageBarProps } from "./package-bar.tsx";
import type { ChosenSounds } from "./package-choice.ts";
import { type PickRow, type RowStatus, usableOf } from "./pick-row.ts";
import { tempoToOffer } from "./tempo-choice.tsx";

interface PackageSoundsProps extends Omit<PackageBarProps, "tempoBpm"> {
  readonly clips: readonly ClipRow[];
  readonly selection: ClipSelection;
  readonly onSelect: (selection: ClipSelection) => void;
  /** Shows a sound's details. */
  readonly onOpen: () => void;
}

/** The selected package: what can be done with it, what became of it, and its sounds. */
export function PackageSounds(props: PackageSoundsProps): VNode {
  const { row, status, state, known, sounds, audio, clips, selection, onSelect, onOpen } = props;
  const { store } = usePanel();
  const usable = usableOf(row);
  const canSet = status === "waiting" || status === "failed";
  const tempoBpm = canSet ? tempoToOffer(known.plan, state.host) : null;
  const { setsTempo } = store.choiceOf(row.key);
  const heardBpm = setsTempo && tempoBpm !== null ? tempoBpm : state.host.tempoBpm;
  audio.know(known.plan);
  useEffect(() => audio.setTempo(heardBpm), [audio, heardBpm]);
  // The same object while nothing of it changes: each row is drawn again for a new one.
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
      <PackageBar {...{ row, status, state, known, sounds, audio, tempoBpm }} words={props.words} />
      <ClipList
        key={row.key}
        label={t("panel.sounds-of", { title: row.title })}
        rows={clips}
        audio={audio}
        selection={selection}
        onSelect={onSelect}
        onOpen={onOpen}
        {...(usable !== null && { ticks })}
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
