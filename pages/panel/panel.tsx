import { render } from "preact";
import { App } from "./app.tsx";
import { guardDoubleClicks } from "./guard-double-clicks.ts";
import { NoSecret } from "./no-secret.tsx";
import { PanelStore } from "./panel-store.ts";
import { readPanelStart } from "./panel-start.ts";
import { choosePageLanguage } from "../kit/choose-page-language.ts";
import { keepFocus } from "../kit/keep-focus.ts";
import { PLAY_BYTES } from "../../core/audio/sound-limits.ts";
import { ScenePlayer } from "../kit/playback/scene-player.ts";

// The page's entry point: reads the start parameters, follows the importer, and renders.

const written = document.querySelector("#start")?.textContent ?? "null";
const start = readPanelStart(written, location.hash);
const root = document.createElement("div");
document.body.prepend(root);
choosePageLanguage(start?.language);

if (start === undefined) {
  render(<NoSecret reason="missing" />, root);
} else {
  const store = new PanelStore(start);
  const closing = new AbortController();
  const { signal } = closing;
  const player = new ScenePlayer(
    (packageId, soundId) => store.calls.sound(packageId, soundId, { maxBytes: PLAY_BYTES, signal }),
    signal,
  );
  guardDoubleClicks(root);
  render(<App panel={{ store, player }} />, root);
  keepFocus(root);
  addEventListener("pagehide", () => closing.abort());
  void store.follow(signal);
}
addEventListener("pageshow", ({ persisted }) => {
  if (persisted) location.reload();
});
// A new secret in the address means a restarted importer.
addEventListener("hashchange", () => location.reload());
