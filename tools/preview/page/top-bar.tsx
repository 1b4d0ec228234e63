import type { VNode } from "preact";
import { countOf } from "../../../core/text/count-of.ts";
import type { PreviewState } from "../../../core/protocol/preview-api.ts";
import type { Link } from "../../../web/link.ts";
import { formatLink } from "./text/format-link.ts";

interface TopBarProps {
  readonly link: Link;
  readonly state: PreviewState | null;
}

/** What the page shows, and whether it is current. */
export function TopBar({ link, state }: TopBarProps): VNode {
  const { words, tone } = formatLink(link, state);
  return (
    <header class="top">
      <div class="title-line">
        <h1>Soundferry preview</h1>
        {state !== null && <p class="quiet">{formatCounts(state)}</p>}
        <p class={`connection ${tone}`}>{words}</p>
      </div>
      {link === "lost" && state !== null && (
        <p class="notice">
          This is the last known state. Start <code>soundferry preview</code> again and open the
          address it prints.
        </p>
      )}
      {state !== null && state.trouble !== null && <p class="notice">{state.trouble}</p>}
    </header>
  );
}

function formatCounts({ scenes }: PreviewState): string {
  const counts = scenes.flatMap((scene) => ("error" in scene ? [] : [scene.tracks.length]));
  const broken = scenes.length - counts.length;
  const sounds = counts.reduce((sum, count) => sum + count, 0);
  const words = `${countOf(counts.length, "scene")}, ${countOf(sounds, "sound")}`;
  return broken === 0 ? words : `${words}; ${countOf(broken, "folder")} can’t be used`;
}
