import type { PreviewState } from "../../core/protocol/preview-api.ts";
import { followLines } from "../kit/follow-lines.ts";
import type { Link } from "../kit/secret-calls.ts";
import { ViewStore } from "../../core/view-store.ts";
import { keepUnchanged, announceChange } from "./list/scene-state.ts";
import type { PreviewCalls } from "./preview-calls.ts";
import { makeContext } from "../kit/use-view.ts";
import type { ScenePlayer } from "../kit/playback/scene-player.ts";
import type { PreviewAudio } from "./clips/preview-audio.ts";
import type { ManifestEditor } from "./edit/manifest-editor.ts";
import type { Transport } from "./transport/transport.ts";

/** The page's immutable state: replaced, never changed. */
interface PreviewView {
  readonly link: Link;
  /** The preview's state, the last known one while the link is lost; null until the preview answers. */
  readonly state: PreviewState | null;
  /** The latest text for screen readers. */
  readonly announcement: string;
  /** The number of announcements so far. */
  readonly announcements: number;
}

/** Holds what the page shows, and follows the preview. */
export class PreviewStore extends ViewStore<PreviewView> {
  readonly #calls: PreviewCalls;

  constructor(calls: PreviewCalls) {
    super({ link: "looking", state: null, announcement: "", announcements: 0 });
    this.#calls = calls;
  }

  /** Follows the preview until the signal aborts. */
  follow(signal: AbortSignal): Promise<void> {
    const onState = (received: PreviewState): void => {
      const { state: before, announcements } = this.view;
      const state = { ...received, scenes: keepUnchanged(before?.scenes ?? [], received.scenes) };
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

/** The objects that every part of the page can use. */
export interface Preview {
  readonly calls: PreviewCalls;
  readonly store: PreviewStore;
  readonly editor: ManifestEditor;
  readonly player: ScenePlayer;
  readonly audio: PreviewAudio;
  readonly transport: Transport;
}

export const [PreviewContext, usePreview] = makeContext<Preview>();
