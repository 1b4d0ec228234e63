import { type Chunk, isWholeChunk } from "./read-chunks.ts";
import { isWavStart, textAt } from "./file-start.ts";
import type { ReadAt } from "./read-wav-header-at.ts";
import { type RepairNote, repairNote } from "./repair-note.ts";
import { findLengthFault } from "./wav-chunks.ts";
import { CHUNK_HEADER_BYTES, isFourCc, RIFF_HEADER_BYTES } from "./wav-header.ts";

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
  /** Offset of the chunks behind it. */
  readonly endOffset: number;
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
/** Bytes at the end in which chunks behind audio of unknown length are searched. */
const TAIL_BYTES = 65_536;
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
    const endOffset = from + dataBytes + (dataBytes % 2);
    return { bytes: dataBytes, endOffset, notes: [], second: secondNotes(secondAt, fileBytes) };
  }
  if (dataBytes === 0 && next !== undefined && isWholeChunk(next, fileBytes)) return undefined;
  const fault = findLengthFault(claimed);
  if (fault === "WAV_CUT_SHORT") {
    if (dataBytes - room > MAX_MISSING_BYTES) return undefined;
    return { bytes: room, endOffset: fileBytes, notes: [repairNote("repair.cut")], second: [] };
  }
  const secondAt = await findWav(readAt, from, fileBytes);
  const endOffset = await findEnd(readAt, from, secondAt ?? fileBytes);
  const isStreamed = fault === "WAV_STREAMED";
  return {
    bytes: endOffset - from,
    endOffset,
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

/** Finds the end of audio of unknown length: an ID3v1 tag or chunks may follow, up to the end of the file. */
async function findEnd(readAt: ReadAt, fromOffset: number, endOffset: number): Promise<number> {
  const tailOffset = Math.max(fromOffset, endOffset - TAIL_BYTES);
  const tail = await readAt(tailOffset, endOffset - tailOffset);
  const tagAt = tail.length - END_TAG_BYTES;
  const isTagged = tagAt >= 0 && textAt(tail, tagAt).startsWith("TAG");
  const rest = isTagged ? tail.subarray(0, tagAt) : tail;
  let at = 0;
  while (at < rest.length && !areChunks(rest, at)) at += 1;
  return tailOffset + at;
}

/** Checks whether chunks start here that lead exactly to the last byte; its padding may be missing. */
function areChunks(bytes: Uint8Array, from: number): boolean {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  let at = from;
  while (at + CHUNK_HEADER_BYTES <= bytes.length && isFourCc(view.getUint32(at, true))) {
    const size = view.getUint32(at + 4, true);
    at += CHUNK_HEADER_BYTES + size + (size % 2);
  }
  return at > from && (at === bytes.length || at === bytes.length + 1);
}
