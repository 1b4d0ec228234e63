import type { PreviewState } from "../../core/protocol/preview-api.ts";
import type { Link } from "../kit/secret-calls.ts";

/** The state of the page's connection, as text and as a tone for its style. */
interface LinkWords {
  readonly words: string;
  readonly tone: "good" | "busy" | "bad";
}

export function formatLink(link: Link, state: PreviewState | null): LinkWords {
  if (link === "lost") return { words: "The preview isn’t responding", tone: "bad" };
  if (state === null) return { words: "Connecting to the preview…", tone: "busy" };
  return state.isWatching
    ? { words: "Watching for edits", tone: "good" }
    : { words: "Reload to see edits", tone: "busy" };
}
