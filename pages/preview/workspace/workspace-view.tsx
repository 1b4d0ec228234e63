import type { VNode } from "preact";
import type { PreviewState } from "../../../core/protocol/preview-api.ts";
import { countOf } from "../../../core/text/count-of.ts";
import type { Link } from "../../kit/link.ts";
import { PickList } from "../../kit/shell/pick-list.tsx";
import { Shell } from "../../kit/shell/shell.tsx";
import { SceneClips } from "../clips/scene-clips.tsx";
import { DetailTabs, DetailView } from "../detail/detail-view.tsx";
import { BrokenScene } from "../detail/broken-scene.tsx";
import { ListBar } from "../list/list-bar.tsx";
import { sceneItem } from "../list/scene-item.tsx";
import { nameOfScene } from "../list/scene-state.ts";
import { TopBar, TroubleLine } from "../top-bar.tsx";
import { TransportBar } from "../transport/transport-bar.tsx";
import { usePlayScene } from "../transport/use-play-scene.ts";
import { useWorkspace, type Workspace } from "./use-workspace.ts";

interface WorkspaceViewProps {
  readonly link: Link;
  readonly state: PreviewState;
}

/** The page: the scenes, the sounds of one or of a search, their details, and the transport (rule V5). */
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
