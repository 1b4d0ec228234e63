import type { WavHeader } from "../../../../core/audio/wav-header.ts";
import type { Layout } from "../../../../core/layout/layout.ts";
import { CRC_BYTES } from "../../../../core/live-set/crc16.ts";
import type { LinkedWav } from "../../../../core/live-set/linked-live-set.ts";

/** The content of an experimental Live Set (rule RC11). */
export interface LiveSetRequest {
  /** The name of the folder that has the WAVs. */
  readonly folderName: string;
  readonly layout: Layout;
  /** By sound id. */
  readonly sounds: ReadonlyMap<string, LinkedWav>;
}

/** A Live Set's file; its paths start at the folder that has the WAVs, with `/`. */
export interface LiveSetFile {
  readonly path: string;
  /** A folder that stays empty. */
  readonly infoFolder: string;
  readonly bytes: Uint8Array<ArrayBuffer>;
}

/** Formats a Live Set; null if no sound can be in it. */
export type FormatLiveSet = (request: LiveSetRequest) => Promise<LiveSetFile | null>;

/** Returns what a Set says of a WAV. @param modifiedMs milliseconds since 1970 */
export async function linkedWavOf(
  { fileName, header }: { readonly fileName: string; readonly header: WavHeader },
  bytes: Blob,
  modifiedMs: number,
): Promise<LinkedWav> {
  const start = new Uint8Array(await bytes.slice(0, CRC_BYTES).arrayBuffer());
  return { fileName, header, start, sizeBytes: bytes.size, modifiedMs };
}
