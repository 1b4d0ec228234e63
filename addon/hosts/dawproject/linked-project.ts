import { basename } from "node:path";
import type { WavHeader } from "../../../core/audio/wav-header.ts";
import type { Layout } from "../../../core/layout/layout.ts";
import { dawprojectPath } from "./dawproject-file.ts";
import { formatMetadata, formatProject } from "./format-project.ts";
import { planProject } from "./plan-project.ts";
import { StoredZip, type WritableZip } from "./stored-zip.ts";

/** A WAV beside the project. */
export interface LinkedSound {
  readonly fileName: string;
  readonly header: WavHeader;
}

/**
 * Formats a small DAWproject that refers to the WAVs beside it (rule F10). The same sounds give the same bytes.
 * @param folder the path of the folder that has the WAVs
 * @param sounds by sound id; those of the layout that are missing here are left out
 */
export async function formatLinkedProject(
  folder: string,
  layout: Layout,
  sounds: ReadonlyMap<string, LinkedSound>,
): Promise<{ readonly name: string; readonly bytes: Uint8Array }> {
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
  const memory = new MemoryZip();
  const zip = new StoredZip(memory);
  await zip.add("metadata.xml", [Buffer.from(formatMetadata(project))]);
  await zip.add("project.xml", [Buffer.from(formatProject(project))]);
  await zip.finish();
  return { name: basename(dawprojectPath(folder)), bytes: memory.bytes };
}

class MemoryZip implements WritableZip {
  bytes: Uint8Array = new Uint8Array();

  async write(bytes: Uint8Array, offset: number, length: number, position: number) {
    const grown = new Uint8Array(Math.max(this.bytes.length, position + length));
    grown.set(this.bytes);
    grown.set(bytes.subarray(offset, offset + length), position);
    this.bytes = grown;
    return { bytesWritten: length };
  }

  async truncate(bytes: number): Promise<void> {
    this.bytes = this.bytes.subarray(0, bytes);
  }
}
