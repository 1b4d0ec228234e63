import type { ClipPass, Project, ProjectClip, ProjectScene } from "./project.ts";

/** The shortest section, so that a scene of short loops can be heard at all. */
const LEAST_BARS = 4;
/** What a section may be too short by, in bars, without getting another bar: nobody hears it. */
const BAR_TOLERANCE = 0.01;
/** A clip that would be laid out more often than this is one looping clip. */
const MOST_PASSES = 256;

/**
 * Lays the scenes out on the timeline, one section after the other (rule D6). Each pass of a loop is a
 * clip of its own: some DAWs play a looping clip of a DAWproject only once.
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

/** As long as the longest sound, in whole bars. */
function sectionBeats(scene: ProjectScene, { timeSignature: [beats, unit] }: Project): number {
  const barBeats = (beats * 4) / unit;
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
  // What is left of the last pass by rounding is none.
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
