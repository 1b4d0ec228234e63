import type { WavHeader } from "../audio/wav-header.ts";
import type { Layout } from "../layout/layout.ts";
import { encodeUtf8 } from "../text/utf8.ts";
import { formatZip } from "../zip/plan-zip.ts";
import { dawprojectName } from "./dawproject-name.ts";
import { formatMetadata, formatProject } from "./format-project.ts";
import { planProject } from "./plan-project.ts";

/** A WAV beside the project. */
export interface LinkedSound {
  readonly fileName: string;
  readonly header: WavHeader;
}

/**
 * Formats a small DAWproject that refers to the WAVs beside it (rule F10). The same sounds give the same bytes.
 * @param folderName the name of the folder that has the WAVs
 * @param sounds by sound id; those of the layout that are missing here are left out
 */
export function formatLinkedProject(
  folderName: string,
  layout: Layout,
  sounds: ReadonlyMap<string, LinkedSound>,
): { readonly name: string; readonly bytes: Uint8Array<ArrayBuffer> } {
  const audio = new Map(
    [...sounds].map(([soundId, { fileName, header }]) => {
      const { frames, sampleRateHz, channels } = header;
      const durationSeconds = frames / sampleRateHz;
      return [
        soundId,
        { path: fileName, isExternal: true, durationSeconds, sampleRateHz, channels },
      ] as const;
    }),
  );
  const options = { title: layout.scene.name, withArrangement: false };
  const project = planProject([{ layout, audio }], options);
  const files = new Map([
    ["metadata.xml", encodeUtf8(formatMetadata(project))],
    ["project.xml", encodeUtf8(formatProject(project))],
  ]);
  return { name: dawprojectName(folderName), bytes: formatZip(files) };
}
