import type { PreviewReadScene, PreviewScene } from "../../../core/protocol/preview-api.ts";
import { usableTracks } from "../../../core/layout/usable-tracks.ts";

export interface TransportView {
  /** Tempi that somebody typed, by scene. */
  readonly typedTempi: ReadonlyMap<string, number>;
  /** The scene that plays and the one that takes over, by key; updated by `updatePlayed` while they play. */
  readonly played: ReadonlyMap<string, PreviewReadScene>;
}

/**
 * Returns a playing scene after an edit, in which broken sounds stay unchanged (rule V9); undefined if it was removed.
 */
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

/** Returns the tempo to play a scene at: the typed one, else its package's, its first loop's, or 120. */
export function tempoOf(
  scene: PreviewReadScene,
  { typedTempi }: Pick<TransportView, "typedTempi">,
): number {
  return typedTempi.get(scene.key) ?? scene.tempoBpm ?? firstLoopTempo(scene) ?? 120;
}

function firstLoopTempo(scene: PreviewReadScene): number | undefined {
  return (
    usableTracks(scene).find(({ tempo_bpm: tempoBpm }) => tempoBpm !== null)?.tempo_bpm ?? undefined
  );
}

/** Checks whether any of the scene's sounds can be played. */
export function isPlayable(scene: PreviewScene): scene is PreviewReadScene {
  return !("error" in scene) && usableTracks(scene).length > 0;
}
