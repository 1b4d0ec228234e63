/** What a page may know of the player at one moment. */
export interface SceneView {
  /** The scene that plays or is fetched to be played; null where none is. */
  readonly sceneKey: string | null;
  readonly isLoading: boolean;
  readonly tempoBpm: number;
  /** Each as `soundKey` says it; kept when another scene plays. */
  readonly muted: ReadonlySet<string>;
  readonly soloed: ReadonlySet<string>;
  /** Sentences by sound id: what could not be played of the scene that was played last. */
  readonly errors: ReadonlyMap<string, string>;
}

/** Stands for a scene's sound in `muted` and `soloed`: two scenes may use the same id. */
export function soundKey(sceneKey: string, soundId: string): string {
  return JSON.stringify([sceneKey, soundId]);
}

/**
 * Which sounds of a scene are heard when it plays: those on solo where it has any, else all; never what
 * is muted.
 * @param soundIds of the scene
 */
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
