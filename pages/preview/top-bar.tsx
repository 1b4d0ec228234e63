import type { VNode } from "preact";
import { useState } from "preact/hooks";
import { countOf } from "../../core/text/count-of.ts";
import type { PreviewState } from "../../core/protocol/preview-api.ts";
import type { Link } from "../kit/secret-calls.ts";
import { Dialog } from "../kit/shell/dialog.tsx";
import { StatusLine } from "../kit/shell/shell.tsx";
import { ChangesView } from "./detail/changes-view.tsx";
import { versionOf } from "./list/scene-state.ts";
import { formatLink } from "./format-link.ts";

interface TopBarProps {
  readonly link: Link;
  readonly state: PreviewState;
}

/** Counts of the page's content, its connection, and the export of all edits. */
export function TopBar({ link, state }: TopBarProps): VNode {
  const { words, tone } = formatLink(link, state);
  const [isOpen, setIsOpen] = useState(false);
  return (
    <>
      <h1>Soundferry preview</h1>
      <p class="quiet counts">{formatCounts(state)}</p>
      <p class={`connection ${tone}`}>{words}</p>
      <button type="button" class="export" onClick={() => setIsOpen(true)}>
        Export changes
      </button>
      {isOpen && (
        <Dialog title="Changes of all packages" onClose={() => setIsOpen(false)}>
          <ChangesView scene={null} version={state.scenes.map(versionOf).join(" ")} />
        </Dialog>
      )}
    </>
  );
}

/** A line about a problem of the preview itself. */
export function TroubleLine({ link, state }: TopBarProps): VNode {
  if (link === "lost") {
    const text =
      "This is the last known state. Start soundferry preview again and open the address it prints.";
    return <StatusLine tone="bad" text={text} />;
  }
  return <StatusLine tone="mixed" text={state.trouble ?? ""} />;
}

function formatCounts({ scenes }: PreviewState): string {
  const counts = scenes.flatMap((scene) => ("error" in scene ? [] : [scene.tracks.length]));
  const broken = scenes.length - counts.length;
  const sounds = counts.reduce((sum, count) => sum + count, 0);
  const words = `${countOf(counts.length, "scene")}, ${countOf(sounds, "sound")}`;
  return broken === 0 ? words : `${words}; ${countOf(broken, "folder")} can’t be used`;
}
