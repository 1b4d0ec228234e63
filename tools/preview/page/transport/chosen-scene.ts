import type { PreviewReadScene, PreviewScene } from "../../../../core/protocol/preview-api.ts";
import { usableTracks } from "../../../../core/layout/usable-tracks.ts";

export interface TransportView {
  /** null for the first scene, until one is chosen. */
  readonly chosenKey: string | null;
  /** null for the chosen scene's own tempo. */
  readonly typedTempoBpm: number | null;
  /** The last played scene, updated by `updatePlayed` while it plays. */
  readonly played: PreviewReadScene | null;
}

/** The chosen scene, or the first that can be played; undefined if there is none. */
export function chosenScene(
  scenes: readonly PreviewScene[],
  { chosenKey }: Pick<TransportView, "chosenKey">,
): PreviewReadScene | undefined {
  const playable = scenes.filter(isPlayable);
  return playable.find(({ key }) => key === chosenKey) ?? playable[0];
}

/** A playing scene after an edit: broken sounds stay as they were (rule V9). undefined if it was removed. */
export function updatePlayed(
  played: PreviewReadScene,
  scenes: readonly PreviewScene[],
): PreviewReadScene | undefined {
  const now = scenes.find(({ key }) => key === played.key);
  if (now === undefined) return undefined;
  return "error" in now ? played : keepUsable(played, now);
}

function keepUsable(played: PreviewReadScene, now: PreviewReadScene): PreviewReadScene {
  const before = new Map(usableTracks(played).map((track) => [track.id, track]));
  if (!now.tracks.some((track) => "error" in track && before.has(track.id))) return now;
  const tracks = now.tracks.map((track) =>
    "error" in track ? (before.get(track.id) ?? track) : track,
  );
  return { ...now, tracks };
}

/** The tempo to play a scene at: as typed, else its package's, its first loop's, or 120. */
export function tempoOf(
  scene: PreviewReadScene,
  view: Pick<TransportView, "chosenKey" | "typedTempoBpm">,
): number {
  const typed = view.chosenKey === scene.key ? view.typedTempoBpm : null;
  return typed ?? scene.tempoBpm ?? firstLoopTempo(scene) ?? 120;
}

function firstLoopTempo(scene: PreviewReadScene): number | undefined {
  return (
    usableTracks(scene).find(({ tempo_bpm: tempoBpm }) => tempoBpm !== null)?.tempo_bpm ?? undefined
  );
}

function isPlayable(scene: PreviewScene): scene is PreviewReadScene {
  return !("error" in scene) && usableTracks(scene).length > 0;
}
