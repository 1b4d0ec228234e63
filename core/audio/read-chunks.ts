import { textAt } from "./file-start.ts";
import type { ReadAt } from "./read-wav-header-at.ts";
import { CHUNK_HEADER_BYTES, fourCc, isFourCc } from "./wav-header.ts";

/** Chunks to look at. Logic writes about ten. */
const MAX_CHUNKS = 256;
/** Longest piece of a chunk that is read, unless a reader needs less. */
const MAX_PIECE_BYTES = 4096;

/** A chunk of a WAV or AIFF. */
export interface Chunk {
  /** Its four-character code. */
  readonly name: string;
  /** The start of its body inside the file, up to the longest piece that is read. */
  readonly body: DataView;
  readonly bodyOffset: number;
  /** The size in the chunk's header; may reach beyond the file. */
  readonly bodyBytes: number;
}

/** Reads the chunks from an offset on, in order, as far as their sizes lead inside the file. */
export async function readChunks(
  readAt: ReadAt,
  fromOffset: number,
  fileBytes: number,
  isLittleEndian: boolean,
  maxPieceBytes = MAX_PIECE_BYTES,
): Promise<readonly Chunk[]> {
  const chunks: Chunk[] = [];
  let offset = fromOffset;
  let isAfterOdd = false;
  while (chunks.length < MAX_CHUNKS) {
    const length = Math.min(CHUNK_HEADER_BYTES + maxPieceBytes, fileBytes - offset);
    if (length < CHUNK_HEADER_BYTES) break;
    const read = await readAt(offset, length);
    const padding = isAfterOdd ? paddingAt(read, fileBytes - offset, isLittleEndian) : 0;
    offset += padding;
    const bytes = read.subarray(padding);
    if (bytes.byteLength < CHUNK_HEADER_BYTES) break;
    const bodyBytes = new DataView(bytes.buffer, bytes.byteOffset).getUint32(4, isLittleEndian);
    const bodyOffset = offset + CHUNK_HEADER_BYTES;
    const pieceBytes = Math.min(bodyBytes, bytes.byteLength - CHUNK_HEADER_BYTES);
    const body = new DataView(bytes.buffer, bytes.byteOffset + CHUNK_HEADER_BYTES, pieceBytes);
    chunks.push({ name: textAt(bytes, 0), body, bodyOffset, bodyBytes });
    offset = bodyOffset + bodyBytes;
    isAfterOdd = bodyBytes % 2 === 1;
  }
  return chunks;
}

/**
 * Returns the bytes of padding between a chunk of odd size and the next: 1, or 0 where a program forgot it and a chunk
 * that fits into the file begins at once.
 * @param bytes what follows the chunk's body
 * @param leftBytes the file's bytes after it
 */
function paddingAt(bytes: Uint8Array, leftBytes: number, isLittleEndian: boolean): 0 | 1 {
  if (bytes.byteLength < CHUNK_HEADER_BYTES) return 1;
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const fits = CHUNK_HEADER_BYTES + view.getUint32(4, isLittleEndian) <= leftBytes;
  return fits && isFourCc(view.getUint32(0, true)) ? 0 : 1;
}

/** Checks whether a chunk has a name, and lies inside the file. */
export function isWholeChunk({ name, bodyOffset, bodyBytes }: Chunk, fileBytes: number): boolean {
  return isFourCc(fourCc(name)) && bodyOffset + bodyBytes <= fileBytes;
}
