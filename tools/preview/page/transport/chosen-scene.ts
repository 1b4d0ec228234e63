import type { PreviewReadScene, PreviewScene } from "../../../../core/protocol/preview-api.ts";
import { usableTracks } from "../../../../core/layout/usable-tracks.ts";

/** What the person has chosen to hear. */
export interface TransportView {
  /** null until a scene is chosen: then it is the first. */
  readonly chosenKey: string | null;
  /** null where it is the chosen scene's own. */
  readonly typedTempoBpm: number | null;
  /** The scene that was played last, as `goOnWith` leaves it while it plays. */
  readonly played: PreviewReadScene | null;
}

/** The scene that was chosen, else the first that can be played; undefined where there is none. */
export function chosenScene(
  scenes: readonly PreviewScene[],
  { chosenKey }: Pick<TransportView, "chosenKey">,
): PreviewReadScene | undefined {
  const playable = scenes.filter(isPlayable);
  return playable.find(({ key }) => key === chosenKey) ?? playable[0];
}

/**
 * A scene that plays, after an edit: what can't be used by now stays as it was when it last could (rule V9).
 * @returns undefined where it is no more; the very scene of now where nothing of it is broken
 */
export function goOnWith(
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

/** The tempo that a scene is played at: what was typed for it, else its package's, its first loop's, or 120. */
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
