import type { VNode } from "preact";
import { useLayoutEffect, useMemo } from "preact/hooks";
import type { PreviewState, PreviewBrokenScene } from "../../../core/protocol/preview-api.ts";
import { countOf } from "../../../core/text/count-of.ts";
import type { Link } from "../../kit/secret-calls.ts";
import { PickList } from "../../kit/shell/pick-list.tsx";
import { Shell } from "../../kit/shell/shell.tsx";
import { DetailTabs, DetailView } from "../detail/detail-view.tsx";
import { ListBar, sceneItem } from "../list/scene-list.tsx";
import { nameOfScene } from "../list/scene-state.ts";
import { TopBar, TroubleLine } from "../top-bar.tsx";
import { TransportBar } from "../transport/transport-bar.tsx";
import { usePlayScene } from "../transport/play-scene-button.tsx";
import { useWorkspace, type Workspace } from "./use-workspace.ts";
import { ClipList } from "../../kit/clip-list/clip-list.tsx";
import type { ClipMixer } from "../../kit/clip-list/clip-row.ts";
import { usePreview } from "../preview-store.ts";
import { usePicked } from "../../kit/use-view.ts";
import { FaultList } from "../detail/package-detail.tsx";

interface WorkspaceViewProps {
  readonly link: Link;
  readonly state: PreviewState;
}

/** The page: the scenes, the sounds of one scene or of a search, their details, and the transport (rule V5). */
export function WorkspaceView({ link, state }: WorkspaceViewProps): VNode {
  const work = useWorkspace(state.scenes);
  const title = titleOf(work);
  return (
    <Shell
      header={<TopBar link={link} state={state} />}
      status={<TroubleLine link={link} state={state} />}
      list={{
        label: "Scenes",
        bar: <ListBar view={work.view} onView={work.onView} />,
        content: <SceneList work={work} />,
      }}
      main={{
        label: title,
        bar: (
          <>
            <h2 class="pane-title" title={title}>
              <bdi>{title}</bdi>
            </h2>
            <button type="button" class="to-details" onClick={() => work.onScreen("detail")}>
              Details
            </button>
          </>
        ),
        content: <MainContent title={title} work={work} />,
      }}
      detail={{
        label: "Details",
        bar: <DetailTabs work={work} />,
        content: <DetailView work={work} />,
      }}
      footer={<TransportBar scenes={state.scenes} picked={work.picked?.scene} />}
      screen={work.screen}
      onBack={work.onScreen}
    />
  );
}

function SceneList({ work }: { readonly work: Workspace }): VNode {
  const { scenes, picked, onPick, onScreen } = work;
  const { toggle } = usePlayScene();
  return (
    <PickList
      label="Scenes"
      items={scenes.map(sceneItem)}
      picked={picked?.scene.key ?? null}
      onPick={onPick}
      onOpen={() => onScreen("main")}
      onKey={({ key: pressed, repeat }, key) => {
        const scene = scenes.find((row) => row.scene.key === key && !row.isGone)?.scene;
        if (pressed !== " " || repeat || scene === undefined || "error" in scene) return false;
        toggle(scene);
        return true;
      }}
      empty="No scenes match."
    />
  );
}

function MainContent({ title, work }: { readonly title: string; readonly work: Workspace }): VNode {
  const { picked, isSearching } = work;
  if (isSearching) return <SceneClips label={title} work={work} />;
  if (picked === undefined) return <p class="pane-note quiet">Choose a scene.</p>;
  if (picked.isGone) return <p class="pane-note quiet">This folder was removed.</p>;
  if ("error" in picked.scene) return <BrokenScene scene={picked.scene} />;
  return <SceneClips label={title} work={work} />;
}

function titleOf({ isSearching, sounds, picked }: Workspace): string {
  if (isSearching) return `${countOf(sounds.length, "sound")} found`;
  return picked === undefined ? "Sounds" : nameOfScene(picked.scene);
}

interface SceneClipsProps {
  readonly label: string;
  readonly work: Workspace;
}

/** The sounds of the picked scene, or the sounds that a search finds. */
function SceneClips({ label, work }: SceneClipsProps): VNode {
  const { audio, player } = usePreview();
  const { sounds, selection, onSelect, onOpenSound } = work;
  const rows = useMemo(() => sounds.map(({ row }) => row), [sounds]);
  // This happens before painting, because rows ask for their waveforms then.
  useLayoutEffect(() => audio.setRows(sounds), [audio, sounds]);
  const muted = usePicked(player, (view) => view.muted);
  const soloed = usePicked(player, (view) => view.soloed);
  const withSound = (key: string, act: (sceneKey: string, soundId: string) => void): void => {
    const sound = sounds.find(({ row }) => row.key === key);
    if (sound !== undefined) act(sound.scene.key, sound.track.id);
  };
  const mixer: ClipMixer = {
    muted,
    soloed,
    onMute: (key, isOn) => withSound(key, (scene, id) => player.setMuted(scene, id, isOn)),
    onSolo: (key, isOn) => withSound(key, (scene, id) => player.setSolo(scene, id, isOn)),
  };
  return <ClipList {...{ label, rows, audio, selection, onSelect, mixer }} onOpen={onOpenSound} />;
}

/** The reason why a folder can't be used, in place of its sounds. */
function BrokenScene({ scene }: { readonly scene: PreviewBrokenScene }): VNode {
  const { error, manifest } = scene;
  return (
    // A scrollable area must be reachable by keyboard.
    <div class="pane-note" tabIndex={0} role="group" aria-label={`Problems of ${scene.folder}`}>
      <p class="tone bad">{error}</p>
      <FaultList faults={manifest?.faults ?? []} />
    </div>
  );
}
