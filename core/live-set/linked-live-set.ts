import type { Layout } from "../layout/layout.ts";
import { formatLiveSet } from "./format-live-set.ts";
import { liveSetNames, PROJECT_INFO } from "./live-set-names.ts";
import { planLiveSet } from "./plan-live-set.ts";
import { isRefusedByLive, setAudioOf, type WavFacts } from "./set-audio.ts";

/** A WAV in the folder that gets the project. */
export interface LinkedWav extends WavFacts {
  readonly fileName: string;
}

/** A Set in a project beside its WAVs. Paths start at the folder that has the WAVs, with `/`. */
export interface LinkedLiveSet {
  /** The path of the Set's file, such as `Kit Project/Kit.als`. */
  readonly path: string;
  /** The XML of the file; compress it, and pass the bytes through `asLiveCompresses`. */
  readonly text: string;
  /** The path of a folder that stays empty, by which Live recognizes the project. */
  readonly infoFolder: string;
}

/**
 * Formats a Set that refers to the WAVs beside its project (rule LS8), where the absolute paths aren't known. The same
 * sounds give the same text.
 * @param folderName of the folder that has the WAVs
 * @param sounds by sound id; those of the layout that are missing here, or that Live refuses, are left out
 * @returns null if no sound can be in it
 */
export function formatLinkedLiveSet(
  folderName: string,
  layout: Layout,
  sounds: ReadonlyMap<string, LinkedWav>,
): LinkedLiveSet | null {
  const audio = new Map(
    [...sounds]
      .filter(([, { header }]) => !isRefusedByLive(header))
      .map(([soundId, sound]) => {
        const file = { from: "set", relativePath: `../${sound.fileName}`, path: "" } as const;
        return [soundId, setAudioOf(sound, file)] as const;
      }),
  );
  const plan = planLiveSet([{ layout, audio }]);
  if (plan.scenes.length === 0) return null;
  const { project, set } = liveSetNames(folderName);
  return {
    path: `${project}/${set}`,
    text: formatLiveSet(plan),
    infoFolder: `${project}/${PROJECT_INFO}`,
  };
}
