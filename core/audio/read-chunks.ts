import { textAt } from "./file-start.ts";
import type { ReadAt } from "./read-wav-header-at.ts";
import { CHUNK_HEADER_BYTES, fourCc, isFourCc } from "./wav-header.ts";

/** Chunks to look at. Logic writes about ten. */
const MAX_CHUNKS = 256;
/** Longest piece of a chunk that is read. */
const MAX_PIECE_BYTES = 4096;

/** A chunk of a WAV or AIFF. */
export interface Chunk {
  /** Its four-character code. */
  readonly name: string;
  /** The start of its body inside the file, up to 4 KiB. */
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
): Promise<readonly Chunk[]> {
  const chunks: Chunk[] = [];
  let offset = fromOffset;
  while (chunks.length < MAX_CHUNKS) {
    const length = Math.min(CHUNK_HEADER_BYTES + MAX_PIECE_BYTES, fileBytes - offset);
    if (length < CHUNK_HEADER_BYTES) break;
    const bytes = await readAt(offset, length);
    if (bytes.byteLength < CHUNK_HEADER_BYTES) break;
    const bodyBytes = new DataView(bytes.buffer, bytes.byteOffset).getUint32(4, isLittleEndian);
    const bodyOffset = offset + CHUNK_HEADER_BYTES;
    const pieceBytes = Math.min(bodyBytes, bytes.byteLength - CHUNK_HEADER_BYTES);
    const body = new DataView(bytes.buffer, bytes.byteOffset + CHUNK_HEADER_BYTES, pieceBytes);
    chunks.push({ name: textAt(bytes, 0), body, bodyOffset, bodyBytes });
    // Chunks begin at even offsets.
    offset = bodyOffset + bodyBytes + (bodyBytes % 2);
  }
  return chunks;
}

/** Checks whether a chunk has a name, and lies inside the file. */
export function isWholeChunk({ name, bodyOffset, bodyBytes }: Chunk, fileBytes: number): boolean {
  return isFourCc(fourCc(name)) && bodyOffset + bodyBytes <= fileBytes;
}
