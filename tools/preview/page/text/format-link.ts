import type { PreviewState } from "../../../../core/protocol/preview-api.ts";
import type { Link } from "../../../../web/link.ts";

/** How the page stands to the preview that serves it, in words and one that a style can follow. */
export interface LinkWords {
  readonly words: string;
  readonly tone: "good" | "busy" | "bad";
}

/** `Watching for edits`, `Reload to see edits`, or that the preview can't be reached. */
export function formatLink(link: Link, state: PreviewState | null): LinkWords {
  if (link === "lost") return { words: "The preview isn’t responding", tone: "bad" };
  if (state === null) return { words: "Connecting to the preview…", tone: "busy" };
  return state.isWatching
    ? { words: "Watching for edits", tone: "good" }
    : { words: "Reload to see edits", tone: "busy" };
}
