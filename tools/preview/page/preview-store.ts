import type { PreviewState } from "../../../core/protocol/preview-api.ts";
import { followLines } from "../../../web/follow-lines.ts";
import type { Link } from "../../../web/link.ts";
import { ViewStore } from "../../../web/view-store.ts";
import { keepUnchanged } from "./keep-unchanged.ts";
import type { PreviewCalls } from "./preview-calls.ts";
import { announceChange } from "./text/announce.ts";

/** What the page shows at one moment; never changed, only replaced. */
export interface PreviewView {
  readonly link: Link;
  /** null until the preview has answered; what it said last while the link is lost. */
  readonly state: PreviewState | null;
  /** What somebody who can't see the page is told next. */
  readonly announcement: string;
  /** How many times there was something to tell. */
  readonly announcements: number;
}

/** The page's one state: follows the preview and tells who listens of every change. */
export class PreviewStore extends ViewStore<PreviewView> {
  readonly #calls: PreviewCalls;

  constructor(calls: PreviewCalls) {
    super({ link: "looking", state: null, announcement: "", announcements: 0 });
    this.#calls = calls;
  }

  /** Follows the preview until the signal aborts. */
  follow(signal: AbortSignal): Promise<void> {
    const onState = (told: PreviewState): void => {
      const { state: before, announcements } = this.view;
      const state = { ...told, scenes: keepUnchanged(before?.scenes ?? [], told.scenes) };
      const news = before === null ? [] : announceChange(before.scenes, state.scenes);
      this.change({
        link: "live",
        state,
        ...(news.length > 0 && { announcement: news.join(" "), announcements: announcements + 1 }),
      });
    };
    const onLink = (link: Link): void => this.change({ link });
    return followLines(
      (connection) => this.#calls.openState(connection),
      { onState, onLink },
      signal,
    );
  }
}
