import { render } from "preact";
import { App, NoSecret } from "./app.tsx";
import { PanelStore } from "./panel-store.ts";
import { choosePageLanguage } from "../kit/choose-page-language.ts";
import { openPageRoot } from "../kit/page-root.ts";
import { ScenePlayer } from "../kit/playback/scene-player.ts";
import type { PanelStart } from "../../core/protocol/panel-api.ts";

// The page's entry point: reads the start parameters, follows the importer, and renders.

const written = document.querySelector("#start")?.textContent ?? "null";
const start = readPanelStart(written, location.hash);
const root = openPageRoot();
choosePageLanguage(start?.language);

if (start === undefined) {
  render(<NoSecret reason="missing" />, root);
} else {
  const store = new PanelStore(start);
  const closing = new AbortController();
  const { signal } = closing;
  const player = new ScenePlayer(
    (packageId, soundId) => store.calls.sound(packageId, soundId, signal),
    signal,
  );
  guardDoubleClicks(root);
  render(<App panel={{ store, player }} />, root);
  addEventListener("pagehide", () => closing.abort());
  void store.follow(signal);
}

/**
 * Reads the start parameters: from the `#start` element in Live's dialog, else from the secret in the address. Returns
 * undefined without a secret (rule N1).
 * @param written text of the element
 * @param fragment fragment of the address, with its `#`
 */
function readPanelStart(written: string, fragment: string): PanelStart | undefined {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- only the importer itself writes it
  const start = JSON.parse(written) as PanelStart | null;
  if (start !== null) return start;
  const secret = fragment.slice(1);
  return secret === "" ? undefined : { address: "", secret, isDialog: false };
}

/**
 * Stops the second click of a double click where the first one has put another element under the pointer, such
 * as Import again in the place of Import (rule N13).
 */
function guardDoubleClicks(root: HTMLElement): void {
  let clicked: Element | null = null;
  root.addEventListener(
    "click",
    (event) => {
      const target =
        event.target instanceof Element
          ? event.target.closest("button, a, summary, label, input")
          : null;
      if (event.detail > 1 && target !== clicked) {
        event.preventDefault();
        event.stopPropagation();
        return;
      }
      clicked = target;
    },
    { capture: true },
  );
}
