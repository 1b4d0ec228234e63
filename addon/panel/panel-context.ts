import { createContext } from "preact";
import { useContext } from "preact/hooks";
import type { SoundPlayer } from "../../web/sound-player.ts";
import type { PanelStore } from "./panel-store.ts";
import type { SoundCache } from "./sounds/sound-cache.ts";

export interface Panel {
  readonly store: PanelStore;
  readonly soundCache: SoundCache;
  /** Keyed by `keyOf`. */
  readonly player: SoundPlayer<string>;
}

export const PanelContext = createContext<Panel | null>(null);

/** @throws {Error} outside the page's own tree */
export function usePanel(): Panel {
  const panel = useContext(PanelContext);
  if (panel === null) throw new Error("Outside the panel.");
  return panel;
}
