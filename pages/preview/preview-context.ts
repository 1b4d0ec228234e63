import { makeContext } from "../kit/use-view.ts";
import type { ScenePlayer } from "../kit/playback/scene-player.ts";
import type { PreviewAudio } from "./clips/preview-audio.ts";
import type { ManifestEditor } from "./edit/manifest-editor.ts";
import type { PreviewCalls } from "./preview-calls.ts";
import type { PreviewStore } from "./preview-store.ts";
import type { Transport } from "./transport/transport.ts";

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
