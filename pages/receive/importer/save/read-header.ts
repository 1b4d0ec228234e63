import { readWavHeaderAt } from "../../../../core/audio/read-wav-header-at.ts";
import type { WavHeader } from "../../../../core/audio/wav-header.ts";
import { Refusal } from "../../../../core/protocol/refusal.ts";

/** Reads the header of a WAV on the disk; undefined for any other file. */
export async function readHeaderOf(file: File): Promise<WavHeader | undefined> {
  const readAt = async (offset: number, length: number) =>
    new Uint8Array(await file.slice(offset, offset + length).arrayBuffer());
  try {
    return await readWavHeaderAt(readAt, file.size, file.name);
  } catch (error) {
    if (error instanceof Refusal) return undefined;
    throw error;
  }
}
