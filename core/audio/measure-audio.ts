import { type Chunk, isWholeChunk } from "./read-chunks.ts";
import { isWavStart, textAt } from "./file-start.ts";
import type { ReadAt } from "./read-wav-header-at.ts";
import { type RepairNote, repairNote } from "./repair-note.ts";
import { findLengthFault } from "./wav-chunks.ts";
import { RIFF_HEADER_BYTES } from "./wav-header.ts";

/** The `data` chunk of a WAV and what is around it. */
export interface DataChunk {
  readonly data: Chunk;
  readonly before: readonly Chunk[];
  /** The chunk that follows by the sizes in the file. */
  readonly next: Chunk | undefined;
  /** The size in the file's header. */
  readonly riffBytes: number;
  readonly fileBytes: number;
}

/** The true length of a WAV's audio. */
export interface AudioLength {
  readonly bytes: number;
  readonly notes: readonly RepairNote[];
  /** A note on a second WAV behind the audio. */
  readonly second: readonly RepairNote[];
}

/** A size that an RF64 states in its `ds64` chunk. */
const SIZE_ELSEWHERE = 0xffff_ffff;
/** At most so many bytes may be missing at the end: the largest frame. */
const MAX_MISSING_BYTES = 16;
/** Size of an ID3v1 tag, which ends a file. */
const END_TAG_BYTES = 128;
/** Bytes that are searched at a time. */
const PIECE_BYTES = 262_144;

/**
 * Measures a WAV's audio: as long as its header says, or up to the end of the file or a second WAV if no such length is
 * possible. Returns undefined if there is no audio, or if more than a frame is missing.
 */
export async function measureAudio(
  readAt: ReadAt,
  place: DataChunk,
): Promise<AudioLength | undefined> {
  const { data, next, fileBytes } = place;
  const { bodyOffset: from } = data;
  const room = fileBytes - from;
  const claimed = claimedSizes(place);
  const { dataBytes } = claimed;
  if (dataBytes > 0 && dataBytes <= room) {
    const secondAt = await findWav(readAt, from + dataBytes, fileBytes);
    return { bytes: dataBytes, notes: [], second: secondNotes(secondAt, fileBytes) };
  }
  if (dataBytes === 0 && next !== undefined && isWholeChunk(next, fileBytes)) return undefined;
  const fault = findLengthFault(claimed);
  if (fault === "WAV_CUT_SHORT") {
    if (dataBytes - room > MAX_MISSING_BYTES) return undefined;
    return { bytes: room, notes: [repairNote("repair.cut")], second: [] };
  }
  const secondAt = await findWav(readAt, from, fileBytes);
  const end = secondAt ?? (await endBeforeTag(readAt, fileBytes));
  const isStreamed = fault === "WAV_STREAMED";
  return {
    bytes: Math.max(0, end - from),
    notes: [repairNote(isStreamed ? "repair.streamed" : "repair.length")],
    second: secondNotes(secondAt, fileBytes),
  };
}

function claimedSizes({ data, before, riffBytes, fileBytes }: DataChunk) {
  const sizes = before.find(({ name }) => name === "ds64")?.body;
  const sizeOf = (bytes: number, at: number): number =>
    bytes === SIZE_ELSEWHERE && sizes !== undefined && sizes.byteLength >= at + 8
      ? Number(sizes.getBigUint64(at, true))
      : bytes;
  return { riffBytes: sizeOf(riffBytes, 0), dataBytes: sizeOf(data.bodyBytes, 8), fileBytes };
}

/** Finds where a WAV starts. */
async function findWav(
  readAt: ReadAt,
  fromOffset: number,
  fileBytes: number,
): Promise<number | undefined> {
  const first = "R".charCodeAt(0);
  // Pieces overlap, so that a start lies whole in one of them.
  for (let from = fromOffset; from < fileBytes; from += PIECE_BYTES - RIFF_HEADER_BYTES) {
    const bytes = await readAt(from, Math.min(PIECE_BYTES, fileBytes - from));
    for (let at = bytes.indexOf(first); at >= 0; at = bytes.indexOf(first, at + 1)) {
      if (isWavStart(bytes, at)) return from + at;
    }
  }
  return undefined;
}

function secondNotes(secondAt: number | undefined, fileBytes: number): readonly RepairNote[] {
  if (secondAt === undefined) return [];
  const percent = Math.max(1, Math.round(((fileBytes - secondAt) / fileBytes) * 100));
  return [repairNote("repair.second", "", percent)];
}

async function endBeforeTag(readAt: ReadAt, fileBytes: number): Promise<number> {
  const tagAt = fileBytes - END_TAG_BYTES;
  const isTag = tagAt > 0 && textAt(await readAt(tagAt, 4), 0).startsWith("TAG");
  return isTag ? tagAt : fileBytes;
}
