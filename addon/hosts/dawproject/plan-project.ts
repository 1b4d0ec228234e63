import type { Layout } from "../../../core/layout/layout.ts";
import { usableTracks } from "../../../core/layout/usable-tracks.ts";
import { planArrangement } from "./plan-arrangement.ts";
import { planClip } from "./plan-clip.ts";
import type { Project, ProjectAudio, ProjectScene } from "./project.ts";

/** A package's layout and its sounds in the project. */
export interface SceneSounds {
  readonly layout: Layout;
  /** By sound id, without missing sounds. */
  readonly audio: ReadonlyMap<string, ProjectAudio>;
}

export interface ProjectOptions {
  readonly title: string;
  /** Also lays the scenes out on the timeline. */
  readonly withArrangement: boolean;
}

/** The tempo of a project whose sounds have none. */
const DEFAULT_TEMPO_BPM = 120;

/** Plans a project: a scene per package with sounds, a track per sound (rules D1 to D6). */
export function planProject(packages: readonly SceneSounds[], options: ProjectOptions): Project {
  const layouts = packages.map(({ layout }) => layout);
  const tempoBpm = planTempo(packages);
  const scenes = packages.map((one) => planScene(one, tempoBpm));
  const project: Project = {
    title: options.title,
    tempoBpm,
    timeSignature: firstOf(layouts.map(({ session }) => session.timeSignature)) ?? [4, 4],
    scenes: scenes.filter(({ tracks }) => tracks.length > 0),
  };
  return options.withArrangement ? planArrangement(project) : project;
}

/** Returns the first package's own tempo, else the most frequent one of the loops (rule D5). */
function planTempo(packages: readonly SceneSounds[]): number {
  const own = firstOf(packages.map(({ layout }) => layout.session.tempoBpm));
  if (own !== undefined) return own;
  const counts = new Map<number, number>();
  for (const { layout, audio } of packages) {
    for (const { soundId, tempoBpm } of usableTracks(layout)) {
      if (tempoBpm === null || !audio.has(soundId)) continue;
      counts.set(tempoBpm, (counts.get(tempoBpm) ?? 0) + 1);
    }
  }
  // The sort is stable: of equally frequent tempi, the first wins.
  const [most] = [...counts].toSorted(([, one], [, other]) => other - one);
  return most?.[0] ?? DEFAULT_TEMPO_BPM;
}

function planScene({ layout, audio }: SceneSounds, tempoBpm: number): ProjectScene {
  const tracks = usableTracks(layout).flatMap((plan) => {
    const file = audio.get(plan.soundId);
    if (file === undefined) return [];
    const clip = planClip(plan, file, tempoBpm);
    return [{ name: plan.trackName, volume: 10 ** (plan.gainDb / 20), clip, passes: [] }];
  });
  return { name: layout.scene.name, tracks, startBeats: null };
}

function firstOf<Value>(values: readonly (Value | null)[]): Value | undefined {
  return values.find((value) => value !== null) ?? undefined;
}
