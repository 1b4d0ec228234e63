import type { VNode } from "preact";
import { useEffect, useMemo, useRef } from "preact/hooks";
import { VolumeSlider } from "../../kit/playback/volume-slider.tsx";
import { useClipSelection } from "../../kit/clip-list/use-clip-input.ts";
import { Shell, useScreen } from "../../kit/shell/shell.tsx";
import { t } from "../../kit/page-language.ts";
import type { DialogOpening } from "./dialogs.tsx";
import { clipRowsOf } from "../packages/clip-rows.ts";
import { ImportAll } from "../packages/import-all.tsx";
import { NewPackages } from "../packages/new-packages.tsx";
import { PackageList, ViewSwitch } from "../packages/package-list.tsx";
import { PackageSounds } from "../packages/package-sounds.tsx";
import { type PickRow, usableOf } from "../packages/pick-row.ts";
import { formatOrigin } from "../packages/row-words.ts";
import { activeSoundName, SoundDetail } from "../packages/sound-detail.tsx";
import { usePlan } from "../packages/use-plan.ts";
import { usePanel, type PanelView } from "../panel-store.ts";
import type { PanelState } from "../../../core/protocol/panel-api.ts";
import { usePackageAudio } from "../packages/package-audio.ts";
import { FirstLiveSetup, needsLiveSetup } from "./first-step-page.tsx";
import { Header, PanelStatus } from "./header.tsx";

interface PackagesPageProps extends DialogOpening {
  readonly view: PanelView;
}

/** The packages, the selected one with its sounds, and the active sound. */
export function PackagesPage({ view, opened, onOpen }: PackagesPageProps): VNode {
  const { state, list, selected } = view;
  const { store, player } = usePanel();
  const { screen, show, open } = useScreen(store.shownResult === undefined ? "list" : "main");
  const first = useFirstRow(view);
  const row = list.rows.find(({ key }) => key === selected) ?? first;
  const usable = row === null ? null : usableOf(row);
  const known = usePlan(usable !== null && usable.status !== "expired" ? usable.packageId : null);
  const { plan } = known;
  const clips = useMemo(() => (row === null ? [] : clipRowsOf(row, plan)), [row, plan]);
  const [selection, select] = useClipSelection(clips);
  useShownResult(row);
  const audio = usePackageAudio(row?.packageId ?? "", usable);
  const detail = { row, plan, selection, clips, audio };
  return (
    <Shell
      header={<Header view={view} canPair onOpen={onOpen} />}
      status={<PanelStatus view={view} onOpen={onOpen} />}
      list={{
        label: t("panel.packages"),
        bar: <ViewSwitch view={view} />,
        content: <PackageList view={view} picked={row?.key ?? null} onOpen={() => show("main")} />,
      }}
      main={{
        label: t("panel.package"),
        bar: <PackageTitle row={row} />,
        content:
          row === null || state === null ? (
            <NoPackage state={state} opened={opened} />
          ) : (
            <PackageSounds
              {...{ row, state, known, audio, clips, selection }}
              readAtMs={view.readAtMs}
              onSelect={select}
              onOpen={() => open("detail")}
              onSetUpLive={() => onOpen("live")}
            />
          ),
      }}
      detail={{
        label: t("panel.sound"),
        bar: <SoundTitle name={row === null ? "" : activeSoundName({ ...detail, row })} />,
        content: row !== null && <SoundDetail {...detail} row={row} />,
      }}
      footer={
        <>
          <ImportAll view={view} />
          <NewPackages list={list} onShow={() => show("list")} />
          <VolumeSlider player={player} />
        </>
      }
      screen={screen}
      onBack={show}
    />
  );
}

/**
 * Returns the row to show until a person picks one: the list's first. While the list is empty and Live isn't set up,
 * its steps fill the pane, and an arriving package doesn't replace them (rules N13 and N22).
 */
function useFirstRow({ state, list }: PanelView): PickRow | null {
  const [first = null] = list.rows;
  const showsSteps = useRef(false);
  const shown = useRef(list.view);
  if (shown.current !== list.view) showsSteps.current = false;
  shown.current = list.view;
  const isEmpty = first === null && state !== null && !state.isReading;
  if (isEmpty && needsLiveSetup(state)) showsSteps.current = true;
  return showsSteps.current ? null : first;
}

interface NoPackageProps extends Pick<DialogOpening, "opened"> {
  readonly state: PanelState | null;
}

/** The pane without a package: the steps that set up Live, or what to do. */
function NoPackage({ state, opened }: NoPackageProps): VNode {
  if (state !== null && needsLiveSetup(state)) {
    return <FirstLiveSetup state={state} opened={opened} />;
  }
  const words = state === null ? t("panel.looking") : t("panel.pick-package");
  return <p class="pane-empty quiet">{words}</p>;
}

function PackageTitle({ row }: { readonly row: PickRow | null }): VNode {
  const count = row === null ? undefined : usableOf(row)?.sounds.length;
  // A heading must have a text.
  const Title = row === null ? "p" : "h2";
  return (
    <div class="package-title">
      <Title id="package-title" tabIndex={-1}>
        {row !== null && <bdi>{row.title}</bdi>}
      </Title>
      <p class="facts">
        {row !== null && formatOrigin(row) !== "" && <bdi>{formatOrigin(row)}</bdi>}
        {count !== undefined && <span>{t("clips.count", { count })}</span>}
      </p>
    </div>
  );
}

function SoundTitle({ name }: { readonly name: string }): VNode {
  const Title = name === "" ? "p" : "h2";
  return (
    <Title class="pane-title">
      <bdi>{name}</bdi>
    </Title>
  );
}

/** Focuses the title of the package that the page was opened for. */
function useShownResult(row: PickRow | null): void {
  const { store } = usePanel();
  const isShown = row !== null && row.key === store.shownResult;
  useEffect(() => {
    if (isShown) document.getElementById("package-title")?.focus();
  }, [isShown]);
}
