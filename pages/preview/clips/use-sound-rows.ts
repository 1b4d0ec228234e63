import { useMemo, useRef } from "preact/hooks";
import type { PreviewTrack } from "../../../core/protocol/preview-api.ts";
import { soundKey } from "../../kit/playback/scene-view.ts";
import { useView } from "../../kit/use-view.ts";
import type { SceneRow } from "../list/arrange-scenes.ts";
import { findSounds, isSearching, type SceneView } from "../list/find-scenes.ts";
import { usePreview } from "../preview-context.ts";
import { tempoOf } from "../transport/chosen-scene.ts";
import { usePicked } from "../../kit/use-picked.ts";
import { clipRows, type SoundRow } from "./clip-rows.ts";
import { playbackStates } from "./playback-states.ts";

/** The rows of the clip list: the picked scene's sounds, or all that a search finds. */
export function useSoundRows(
  scenes: readonly SceneRow[],
  picked: SceneRow | undefined,
  view: SceneView,
): readonly SoundRow[] {
  const searches = isSearching(view);
  const found = useFoundSounds(scenes, view.text, searches);
  const own = usePickedRows(searches ? undefined : picked);
  return searches ? found : own;
}

/** Sounds that a search has found stay in the list, whatever they are called later. */
function useFoundSounds(
  scenes: readonly SceneRow[],
  text: string,
  isSearching: boolean,
): readonly SoundRow[] {
  const found = useRef({ text, keys: new Set<string>() });
  return useMemo(() => {
    if (!isSearching) return [];
    if (found.current.text !== text) found.current = { text, keys: new Set() };
    const { keys } = found.current;
    return scenes.flatMap(({ scene, isGone }) => {
      if (isGone || "error" in scene) return [];
      for (const { id } of findSounds(text, scene)) keys.add(soundKey(scene.key, id));
      const isFound = ({ id }: PreviewTrack): boolean => keys.has(soundKey(scene.key, id));
      return clipRows(scene, scene.tracks.filter(isFound), { isAmongOthers: true });
    });
  }, [scenes, text, isSearching]);
}

function usePickedRows(picked: SceneRow | undefined): readonly SoundRow[] {
  const { player, transport } = usePreview();
  const scene =
    picked === undefined || picked.isGone || "error" in picked.scene ? null : picked.scene;
  const ownBpm = usePicked(transport, (view) => (scene === null ? 0 : tempoOf(scene, view)));
  const { sceneKey, tempoBpm, errors, rendering } = useView(player);
  const isPlaying = scene !== null && sceneKey === scene.key;
  const playedBpm = isPlaying ? tempoBpm : ownBpm;
  const shownErrors = transport.view.played.has(scene?.key ?? "") ? errors : NO_ERRORS;
  return useMemo(() => {
    if (scene === null) return [];
    const playback = playbackStates(scene, playedBpm, { errors: shownErrors, rendering });
    return clipRows(scene, scene.tracks, { playback });
  }, [scene, playedBpm, shownErrors, rendering]);
}

const NO_ERRORS: ReadonlyMap<string, string> = new Map();
