import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { Host } from "../../../addon/hosts/host.ts";
import type { Layout } from "../../../core/layout/layout.ts";
import { smallWav } from "../../wav-bytes.ts";

/** 16 beats at 174 BPM, as nearly as a file can hold them. */
export const LOOP_WAV = smallWav({ frames: 44_138, sampleRateHz: 8000 });

/** Writes a WAV for each sound; returns their paths by sound. */
export async function filesIn(folder: string, { tracks }: Layout): Promise<Map<string, string>> {
  const files = new Map<string, string>();
  for (const [index, { soundId }] of tracks.entries()) {
    const path = join(folder, `${index}.wav`);
    await writeFile(path, LOOP_WAV);
    files.set(soundId, path);
  }
  return files;
}

/** The host of the contract gets files that are not there: here they are. */
export function withFiles(host: Host, folder: string): Host {
  const { name, can } = host;
  return {
    name,
    can,
    place: async (request) =>
      host.place({ ...request, files: await filesIn(folder, request.layout) }),
  };
}
