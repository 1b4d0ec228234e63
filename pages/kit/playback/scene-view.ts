/** The player's state, for the page. */
export interface SceneView {
  /** The scene that is playing or loading; null if none is. */
  readonly sceneKey: string | null;
  /** The scene that takes over on the next bar, or as soon as it has loaded; null if none does. */
  readonly nextKey: string | null;
  /** Set until something of `sceneKey` is heard. */
  readonly isLoading: boolean;
  /** Tempo of the scene that is playing or loading, or was last. */
  readonly tempoBpm: number;
  /** From 0, which is silent, to 1, which leaves the sounds as they are. */
  readonly volume: number;
  /** Keys from `soundKey`, kept when another scene plays. */
  readonly muted: ReadonlySet<string>;
  readonly soloed: ReadonlySet<string>;
  /** Positions in beats from which scenes play, by scene; others play from their beginning. */
  readonly cues: ReadonlyMap<string, number>;
  /** Reasons why sounds of the last played scene can't be played, by sound id. */
  readonly errors: ReadonlyMap<string, string>;
  /** Ids of its sounds that are being stretched for the tempo; they come in on the beat. */
  readonly rendering: ReadonlySet<string>;
  /** `warped` if any of its loops is stretched with its pitch kept, `repitched` if one can't be and should. */
  readonly mode: "plain" | "warped" | "repitched";
  /** A sentence about how it plays, or null: that it is repitched, or that warping is an approximation. */
  readonly notice: string | null;
}

/** The state while nothing plays. */
export const SILENT: SceneView = {
  sceneKey: null,
  nextKey: null,
  isLoading: false,
  tempoBpm: 120,
  volume: 1,
  muted: new Set(),
  soloed: new Set(),
  cues: new Map(),
  errors: new Map(),
  rendering: new Set(),
  mode: "plain",
  notice: null,
};

/** Returns a key that identifies a sound across scenes, whose sounds may have the same ids. */
export function soundKey(sceneKey: string, soundId: string): string {
  return JSON.stringify([sceneKey, soundId]);
}

/** Returns the ids of the scene's sounds that are heard: those on solo, or all if none is; never muted ones. */
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

/** Returns the keys with one more, or without it. */
export function pick(picked: ReadonlySet<string>, key: string, isOn: boolean): ReadonlySet<string> {
  const others = [...picked].filter((one) => one !== key);
  return new Set(isOn ? [...others, key] : others);
}
