import type { Layout } from "./layout.ts";
import { usableTracks } from "./usable-tracks.ts";

/** A package in a session that is a file. */
export interface PackageInFile<Audio = unknown> {
  readonly layout: Layout;
  /** Audio files by sound id, without missing sounds. */
  readonly audio: ReadonlyMap<string, Audio>;
}

/** The settings of a session that is a file: each has a value. */
export interface FileSession {
  readonly tempoBpm: number;
  readonly timeSignature: readonly [beats: number, unit: number];
}

/** The tempo of a session whose sounds have none. */
const DEFAULT_TEMPO_BPM = 120;

/** Plans the session of a file with several packages (rule D5). */
export function planSession(packages: readonly PackageInFile[]): FileSession {
  const meters = packages.map(({ layout }) => layout.session.timeSignature);
  return { tempoBpm: planTempo(packages), timeSignature: firstOf(meters) ?? [4, 4] };
}

/** Returns the first package's own tempo, else the most frequent one of the loops. */
function planTempo(packages: readonly PackageInFile[]): number {
  const own = firstOf(packages.map(({ layout }) => layout.session.tempoBpm));
  if (own !== undefined) return own;
  const counts = new Map<number, number>();
  for (const { layout, audio } of packages) {
    for (const { soundId, tempoBpm } of usableTracks(layout)) {
      if (tempoBpm === null || !audio.has(soundId)) continue;
      counts.set(tempoBpm, (counts.get(tempoBpm) ?? 0) + 1);
    }
  }
  // The sort is stable: of equally frequent tempos, the first wins.
  const [most] = [...counts].toSorted(([, one], [, other]) => other - one);
  return most?.[0] ?? DEFAULT_TEMPO_BPM;
}

function firstOf<Value>(values: readonly (Value | null)[]): Value | undefined {
  return values.find((value) => value !== null) ?? undefined;
}
