import { beatsPerBar } from "../../../core/layout/layout.ts";
import type { ClipPass, Project, ProjectClip, ProjectScene } from "./project.ts";

/** The shortest section, so that a scene of short loops is audible. */
const LEAST_BARS = 4;
/** An inaudible overhang that doesn't add another bar. */
const BAR_TOLERANCE = 0.01;
/** Above this, the passes of a loop become one looping clip. */
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
