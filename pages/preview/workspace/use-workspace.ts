import { useEffect, useMemo, useRef, useState } from "preact/hooks";
import type { PreviewScene, PreviewTrack } from "../../../core/protocol/preview-api.ts";
import type { ClipSelection } from "../../kit/clip-list/clip-row.ts";
import { useClipSelection } from "../../kit/clip-list/use-clip-input.ts";
import { useScreen, type Pane } from "../../kit/shell/shell.tsx";
import { type SoundRow, clipRows, playbackStates } from "../clips/clip-rows.ts";
import {
  type Arrangement,
  arrangeScenes,
  type SceneRow,
  ALL_SCENES,
  isSearching,
  type SceneView,
  findSounds,
} from "../list/arrange-scenes.ts";
import { isReading } from "../list/scene-state.ts";
import { soundKey } from "../../kit/playback/scene-view.ts";
import { useView, usePicked } from "../../kit/use-view.ts";
import { usePreview } from "../preview-store.ts";
import { tempoOf } from "../transport/chosen-scene.ts";

export type DetailTab = "package" | "sound" | "layout" | "changes";

/** The content in sight, and the functions that change it. */
export interface Workspace {
  readonly view: SceneView;
  readonly onView: (view: SceneView) => void;
  readonly scenes: readonly SceneRow[];
  /** The picked scene; undefined if none is shown. */
  readonly picked: SceneRow | undefined;
  readonly onPick: (key: string) => void;
  readonly sounds: readonly SoundRow[];
  readonly isSearching: boolean;
  readonly selection: ClipSelection;
  readonly onSelect: (selection: ClipSelection) => void;
  /** The selected sounds, the active one first. */
  readonly selected: readonly SoundRow[];
  readonly onOpenSound: () => void;
  readonly tab: DetailTab;
  readonly onTab: (tab: DetailTab) => void;
  readonly screen: Pane;
  readonly onScreen: (screen: Pane) => void;
}

export function useWorkspace(all: readonly PreviewScene[]): Workspace {
  const [view, onView] = useState<SceneView>(ALL_SCENES);
  const scenes = useArrangement(all, view);
  const [pickedKey, setPicked] = useState<string | null>(null);
  const picked = scenes.find(({ scene }) => scene.key === pickedKey) ?? scenes[0];
  useHearFirst(picked);
  const searches = isSearching(view);
  const sounds = useSoundRows(scenes, picked, view);
  const rows = useMemo(() => sounds.map(({ row }) => row), [sounds]);
  const [selection, select] = useClipSelection(rows);
  const [tab, onTab] = useState<DetailTab>("package");
  const { screen, show: onScreen, open } = useScreen("list");
  const openDetail = (): void => open("detail");
  const onSelect = (next: ClipSelection): void => {
    select(next);
    const key = sounds.find(({ row }) => row.key === next.active)?.scene.key;
    if (key !== undefined) setPicked(key);
    if (key !== undefined && tab === "package") onTab("sound");
  };
  const onPick = (key: string): void => {
    setPicked(key);
    const first = searches ? sounds.find(({ scene }) => scene.key === key)?.row.key : undefined;
    if (first !== undefined) select({ keys: new Set([first]), active: first });
    else if (tab === "sound") onTab("package");
  };
  const onOpenSound = (): void => {
    onTab("sound");
    openDetail();
  };
  return {
    view,
    onView,
    scenes,
    picked,
    onPick,
    sounds,
    isSearching: searches,
    selection,
    onSelect,
    selected: selectedOf(sounds, selection),
    onOpenSound,
    tab,
    onTab,
    screen,
    onScreen,
  };
}

/** Has the sounds of the picked scene read before those of others (rule V18). */
function useHearFirst(picked: SceneRow | undefined): void {
  const { calls } = usePreview();
  const key = picked !== undefined && isReading(picked.scene) ? picked.scene.key : null;
  useEffect(() => {
    // Without it the scene's turn comes later.
    if (key !== null) calls.hear(key).catch(() => undefined);
  }, [calls, key]);
}

function useArrangement(all: readonly PreviewScene[], view: SceneView): readonly SceneRow[] {
  const last = useRef<Arrangement | null>(null);
  return useMemo(() => {
    last.current = arrangeScenes(last.current, all, view);
    return last.current.rows;
  }, [all, view]);
}

function selectedOf(
  sounds: readonly SoundRow[],
  { keys, active }: ClipSelection,
): readonly SoundRow[] {
  const isActive = ({ row }: SoundRow): boolean => row.key === active;
  const selected = sounds.filter((one) => keys.has(one.row.key));
  return [...selected.filter(isActive), ...selected.filter((one) => !isActive(one))];
}

/** Returns the rows of the clip list: the picked scene's sounds, or all sounds that a search finds. */
function useSoundRows(
  scenes: readonly SceneRow[],
  picked: SceneRow | undefined,
  view: SceneView,
): readonly SoundRow[] {
  const searches = isSearching(view);
  const found = useFoundSounds(scenes, view.text, searches);
  const own = usePickedRows(searches ? undefined : picked);
  return searches ? found : own;
}

/** Returns the sounds that a search has found. They stay in the list even if they are renamed. */
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
