import { createContext } from "preact";
import { useContext } from "preact/hooks";
import type { ScenePlayer } from "../kit/playback/scene-player.ts";
import type { PanelStore } from "./panel-store.ts";

export interface Panel {
  readonly store: PanelStore;
  /** A player whose scenes are packages; one package or one sound is heard at a time. */
  readonly player: ScenePlayer;
}

export const PanelContext = createContext<Panel | null>(null);

/** Returns the panel around a component. @throws {Error} outside the page's own tree */
export function usePanel(): Panel {
  const panel = useContext(PanelContext);
  if (panel === null) throw new Error("Outside the panel.");
  return panel;
}
