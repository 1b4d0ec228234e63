import { type Layout, type TrackPlan, beatsPerBar } from "../layout/layout.ts";
import { usableTracks } from "../layout/usable-tracks.ts";
import type {
  ClipPass,
  ClipWarp,
  Project,
  ProjectAudio,
  ProjectClip,
  ProjectScene,
} from "./project.ts";
import { formatColor } from "../layout/palette.ts";
import { formatNumber } from "../text/format-number.ts";

/** The layout of a package and its sounds in the project. */
export interface SceneSounds {
  readonly layout: Layout;
  /** Audio files by sound id, without missing sounds. */
  readonly audio: ReadonlyMap<string, ProjectAudio>;
}

export interface ProjectOptions {
  readonly title: string;
  /** True to lay the scenes out on the timeline, too. */
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
  // The sort is stable: of equally frequent tempos, the first wins.
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

/** The end of many DAWs' faders. */
const FADER_END_DB = 6;

/**
 * Plans a sound's clip (rules D2, D3). A loop with a known length in beats follows the tempo; others
 * loop at the file's own speed, because the format can't request tempo detection.
 */
export function planClip(plan: TrackPlan, audio: ProjectAudio, tempoBpm: number): ProjectClip {
  const head = {
    name: plan.clipName,
    color: formatColor(plan.colorIndex).toLowerCase(),
    audio,
    looping: plan.looping,
  };
  const { loopEndBeats } = plan;
  const warp = planWarp(plan, audio.durationSeconds);
  if (warp !== null && loopEndBeats !== null) {
    return { ...head, warp, durationBeats: loopEndBeats };
  }
  return { ...head, warp: null, durationBeats: (audio.durationSeconds * tempoBpm) / 60 };
}

/** Returns notes on settings that the format can't express (rules D3, D4). */
export function notesOn(plan: Omit<TrackPlan, "colorIndex">): readonly string[] {
  const { warping, loopEndBeats, tempoBpm, gainDb } = plan;
  const notes: string[] = [];
  if (warping && loopEndBeats === null) {
    notes.push(
      "A DAWproject can't leave the tempo to be guessed: the clip is unwarped and loops over the whole file.",
    );
  } else if (warping && loopEndBeats !== null && tempoBpm === null) {
    const beats = `${formatNumber(loopEndBeats)} ${loopEndBeats === 1 ? "beat" : "beats"}`;
    notes.push(
      `A DAWproject can't leave the tempo to be guessed: the file is warped to fill ${beats}.`,
    );
  }
  if (gainDb > FADER_END_DB) {
    const gain = formatNumber(gainDb);
    notes.push(`The gain of +${gain} dB is set as track volume; many DAWs allow at most +6 dB.`);
  }
  return notes;
}

function planWarp(plan: TrackPlan, fileSeconds: number): ClipWarp | null {
  const { warpMode, loopEndBeats, tempoBpm } = plan;
  if (!plan.warping || warpMode === null || loopEndBeats === null) return null;
  const fileEndBeats = tempoBpm === null ? loopEndBeats : (fileSeconds * tempoBpm) / 60;
  return { mode: warpMode, fileEndBeats };
}

/** The length of the shortest section, so that a scene of short loops is audible. */
const LEAST_BARS = 4;
/** The part of a bar that a sound may overhang without another bar: it is inaudible. */
const BAR_TOLERANCE = 0.01;
/** The number of passes above which a loop becomes one looping clip. */
const MOST_PASSES = 256;

/**
 * Lays the scenes out on the timeline, one after another (rule D6). Each pass of a loop is its own clip:
 * some DAWs play a looping DAWproject clip only once.
 */
export function planArrangement(project: Project): Project {
  let startBeats = 0;
  const scenes = project.scenes.map((scene): ProjectScene => {
    const section = { startBeats, endBeats: startBeats + sectionBeats(scene, project) };
    startBeats = section.endBeats;
    const tracks = scene.tracks.map((track) => ({
      ...track,
      passes: planPasses(track.clip, section),
    }));
    return { ...scene, startBeats: section.startBeats, tracks };
  });
  return { ...project, scenes };
}

/** Returns the length of the longest sound, rounded up to whole bars. */
function sectionBeats(scene: ProjectScene, project: Project): number {
  const barBeats = beatsPerBar(project);
  const longest = Math.max(...scene.tracks.map(({ clip }) => clip.durationBeats));
  return barBeats * Math.max(LEAST_BARS, Math.ceil(longest / barBeats - BAR_TOLERANCE));
}

function planPasses(
  clip: ProjectClip,
  section: { readonly startBeats: number; readonly endBeats: number },
): readonly ClipPass[] {
  const { startBeats, endBeats } = section;
  const { durationBeats } = clip;
  if (!clip.looping) return [{ startBeats, durationBeats, isLooping: false }];

  const lengthBeats = endBeats - startBeats;
  // A rounding error doesn't add a pass.
  const count = Math.max(1, Math.ceil(lengthBeats / durationBeats - 1e-6));
  if (count > MOST_PASSES) return [{ startBeats, durationBeats: lengthBeats, isLooping: true }];
  return Array.from({ length: count }, (_, index) => {
    const start = startBeats + index * durationBeats;
    return {
      startBeats: start,
      durationBeats: Math.min(durationBeats, endBeats - start),
      isLooping: false,
    };
  });
}
