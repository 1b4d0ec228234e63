import { render } from "preact";
import { openPageRoot } from "../kit/page-root.ts";
import { App, NoSecret } from "./app.tsx";
import { PreviewAudio } from "./clips/preview-audio.ts";
import { ManifestEditor } from "./edit/manifest-editor.ts";
import { ScenePlayer } from "../kit/playback/scene-player.ts";
import { PreviewCalls } from "./preview-calls.ts";
import { PreviewStore } from "./preview-store.ts";
import { Transport } from "./transport/transport.ts";

// The page's entry point: reads the secret from the address, follows the preview and renders.

const secret = location.hash.slice(1);
const root = openPageRoot();
root.className = "page";

if (secret === "") {
  render(<NoSecret reason="missing" />, root);
} else {
  const closing = new AbortController();
  const calls = new PreviewCalls(secret);
  const store = new PreviewStore(calls);
  const player = new ScenePlayer(
    (key, soundId) => calls.sound(key, soundId, closing.signal),
    closing.signal,
  );
  const transport = new Transport(player);
  const audio = new PreviewAudio(player, transport);
  const editor = new ManifestEditor(calls);
  render(<App preview={{ calls, store, editor, player, audio, transport }} />, root);
  addEventListener("pagehide", () => closing.abort());
  void store.follow(closing.signal);
}
