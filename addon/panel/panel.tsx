import { render } from "preact";
import { App } from "./app.tsx";
import { NoSecret } from "./no-secret.tsx";
import { PanelStore } from "./panel-store.ts";
import { readPanelStart } from "./panel-start.ts";
import { keepFocus } from "../../web/keep-focus.ts";
import { SoundPlayer } from "../../web/sound-player.ts";
import { SoundCache } from "./sounds/sound-cache.ts";

// The page's entry point: reads the start parameters, follows the importer, and renders.

const written = document.querySelector("#start")?.textContent ?? "null";
const start = readPanelStart(written, location.hash);
const root = document.createElement("div");
document.body.prepend(root);

if (start === undefined) {
  render(<NoSecret reason="missing" />, root);
} else {
  const store = new PanelStore(start);
  const closing = new AbortController();
  const soundCache = new SoundCache(store.calls, closing.signal);
  const player = new SoundPlayer<string>();
  render(<App panel={{ store, soundCache, player }} />, root);
  keepFocus(root);
  addEventListener("pagehide", () => {
    closing.abort();
    player.stop();
  });
  void store.follow(closing.signal);
}
addEventListener("pageshow", ({ persisted }) => {
  if (persisted) location.reload();
});
// A new secret in the address means a restarted importer.
addEventListener("hashchange", () => location.reload());
