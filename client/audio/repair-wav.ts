import { isWavStart, tagBytes } from "../../core/audio/file-start.ts";
import { planWavRepair } from "../../core/audio/plan-wav-repair.ts";
import { type RepairNote, repairNote } from "../../core/audio/repair-note.ts";
import { fileNameOf, readerOf, readPiece } from "../send/sound-bytes.ts";
import { rewriteAsWav } from "./write-wav.ts";

/** A sound after its repair. */
export interface RepairedSound {
  /** The same Blob if there was nothing to repair, or it can't be repaired. */
  readonly sound: Blob;
  readonly notes: readonly RepairNote[];
}

const START_BYTES = 12;

/**
 * Repairs a WAV that players read and relays refuse (rule G17). Samples that are PCM keep their bytes, and are not read
 * if only the header is wrong. Other files stay as they are.
 */
export async function repairWav(file: Blob): Promise<RepairedSound> {
  const { sound, notes: tag } = await withoutTag(file);
  const label = fileNameOf(file);
  if (!isWavStart(await readPiece(sound, 0, START_BYTES, label))) return { sound: file, notes: [] };
  const readAt = readerOf(sound, label);
  const { audio, kept, notes } = await planWavRepair(readAt, sound.size);
  const repaired = audio === null ? sound : await rewriteAsWav(sound, audio, kept);
  return { sound: repaired, notes: [...tag, ...notes] };
}

/** Removes ID3 tags in front of a sound. */
export async function withoutTag(file: Blob): Promise<RepairedSound> {
  let sound = file;
  for (;;) {
    const start = await readPiece(sound, 0, START_BYTES, fileNameOf(file));
    const bytes = tagBytes(new DataView(start.buffer));
    if (bytes === 0 || bytes >= sound.size) break;
    sound = sound.slice(bytes);
  }
  return { sound, notes: sound === file ? [] : [repairNote("repair.tag")] };
}
