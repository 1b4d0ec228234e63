import type { VNode } from "preact";
import { Comparison } from "../compare/comparison.tsx";
import type { DetailTab, Workspace } from "../workspace/use-workspace.ts";
import { versionOf } from "../list/scene-state.ts";
import { ChangesView } from "./changes-view.tsx";
import { PackageDetail } from "./package-detail.tsx";
import { SoundDetail } from "./sound-detail.tsx";

const TABS: readonly DetailTab[] = ["package", "sound", "layout", "changes"];

interface DetailProps {
  readonly work: Workspace;
}

/** The tabs of the detail: the package, its selected sounds, its layout against the accepted one, and its edits. */
export function DetailTabs({ work }: DetailProps): VNode {
  const { tab, onTab } = work;
  const move = ({ key }: KeyboardEvent): void => {
    const step = key === "ArrowRight" ? 1 : key === "ArrowLeft" ? -1 : 0;
    const next = TABS[(TABS.indexOf(tab) + step + TABS.length) % TABS.length];
    if (step === 0 || next === undefined) return;
    onTab(next);
    document.getElementById(tabId(next))?.focus();
  };
  return (
    <div class="tabs" role="tablist" aria-label="Details" onKeyDown={move}>
      {TABS.map((one) => (
        <button
          key={one}
          type="button"
          role="tab"
          id={tabId(one)}
          class="tab"
          aria-selected={one === tab}
          aria-controls="detail-panel"
          tabIndex={one === tab ? 0 : -1}
          onClick={() => onTab(one)}
        >
          {NAMES[one]}
          <TabCount
            count={countIn(one, work)}
            things={one === "sound" ? "sounds" : "differences"}
          />
        </button>
      ))}
    </div>
  );
}

/** The content of the chosen tab. */
export function DetailView({ work }: DetailProps): VNode {
  return (
    <div
      class="detail"
      id="detail-panel"
      role="tabpanel"
      aria-labelledby={tabId(work.tab)}
      tabIndex={0}
    >
      <TabContent work={work} />
    </div>
  );
}

function TabContent({ work }: DetailProps): VNode {
  const { tab, picked, selected } = work;
  if (tab === "sound") {
    return selected.length === 0 ? (
      <p class="quiet">Choose a sound.</p>
    ) : (
      <SoundDetail selected={selected} />
    );
  }
  if (picked === undefined || picked.isGone) return <p class="quiet">Choose a scene.</p>;
  const { scene } = picked;
  if (tab === "package") return <PackageDetail scene={scene} />;
  if (tab === "changes") {
    return <ChangesView key={scene.key} scene={scene} version={versionOf(scene)} />;
  }
  if ("error" in scene) return <p class="quiet">There is no layout: {scene.error}</p>;
  return <Comparison key={scene.key} scene={scene} />;
}

interface TabCountProps {
  readonly count: number;
  readonly things: string;
}

/** A count in a tab, which is short because a phone shows all tabs. */
function TabCount({ count, things }: TabCountProps): VNode | null {
  if (count === 0) return null;
  return (
    <>
      {" "}
      ({count})<span class="unseen"> {things}</span>
    </>
  );
}

const NAMES = { package: "Package", sound: "Sound", layout: "Layout", changes: "Changes" } as const;

/** Counts the selected sounds, if several, or the differences of the layout. */
function countIn(tab: DetailTab, { selected, picked }: Workspace): number {
  if (tab === "sound") return selected.length > 1 ? selected.length : 0;
  const scene = picked?.scene;
  if (tab !== "layout" || scene === undefined || "error" in scene) return 0;
  return scene.golden.status === "differs" ? scene.golden.differences.length : 0;
}

function tabId(tab: DetailTab): string {
  return `tab-${tab}`;
}
