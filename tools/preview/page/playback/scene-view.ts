/** The player's state, for the page. */
export interface SceneView {
  /** The scene that is playing or loading; null if none is. */
  readonly sceneKey: string | null;
  readonly isLoading: boolean;
  readonly tempoBpm: number;
  /** Keys from `soundKey`, kept when another scene plays. */
  readonly muted: ReadonlySet<string>;
  readonly soloed: ReadonlySet<string>;
  /** Why sounds of the last played scene can't be played, by sound id. */
  readonly errors: ReadonlyMap<string, string>;
}

/** Identifies a sound across scenes, whose ids may be the same. */
export function soundKey(sceneKey: string, soundId: string): string {
  return JSON.stringify([sceneKey, soundId]);
}

/** The ids of a scene's sounds to be heard: those on solo, or all if none is; never muted ones. */
export function audibleSounds(
  { muted, soloed }: Pick<SceneView, "muted" | "soloed">,
  sceneKey: string,
  soundIds: readonly string[],
): ReadonlySet<string> {
  const isIn = (picked: ReadonlySet<string>) => (id: string) => picked.has(soundKey(sceneKey, id));
  const onSolo = soundIds.filter(isIn(soloed));
  const heard = onSolo.length > 0 ? onSolo : soundIds;
  return new Set(heard.filter((id) => !isIn(muted)(id)));
}
