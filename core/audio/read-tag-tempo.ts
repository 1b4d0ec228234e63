import { textAt } from "./file-start.ts";
import type { ReadAt } from "./read-wav-header-at.ts";

const TAG_HEADER_BYTES = 10;
/** Frames of a tag to look at. */
const MAX_FRAMES = 64;
/** Longest text of a tempo, with its encoding and a byte order mark. */
const TEMPO_BYTES = 32;
const HAS_EXTENSION = 0x40;

/**
 * Reads the tempo, in BPM, of an ID3 tag of version 2.2 to 2.4, frame by frame, without the pictures; undefined if it is
 * missing or broken.
 */
export async function readTagTempo(
  readAt: ReadAt,
  fromOffset: number,
  endOffset: number,
): Promise<number | undefined> {
  const head = await readAt(fromOffset, Math.max(0, Math.min(14, endOffset - fromOffset)));
  if (head.byteLength < TAG_HEADER_BYTES || !textAt(head, 0).startsWith("ID3")) return undefined;
  const version = head[3] ?? 0;
  const frame = FRAMES[version];
  if (frame === undefined) return undefined;
  let offset = fromOffset + TAG_HEADER_BYTES + extensionBytes(head, version);
  for (let frames = 0; frames < MAX_FRAMES; frames += 1) {
    const length = Math.min(frame.headerBytes + TEMPO_BYTES, endOffset - offset);
    if (length <= frame.headerBytes) return undefined;
    const bytes = await readAt(offset, length);
    if (bytes.byteLength <= frame.headerBytes) return undefined;
    const size = frame.sizeOf(bytes);
    const name = String.fromCharCode(...bytes.subarray(0, frame.tempo.length));
    if (name === frame.tempo) {
      return tempoIn(bytes.subarray(frame.headerBytes, frame.headerBytes + size));
    }
    // Padding fills the rest of a tag.
    if (bytes[0] === 0) return undefined;
    offset += frame.headerBytes + size;
  }
  return undefined;
}

/** The frames of each version of the format. */
const FRAMES: Readonly<Record<number, FrameForm>> = {
  2: {
    tempo: "TBP",
    headerBytes: 6,
    sizeOf: (bytes) => numberOf(bytes.subarray(3, 6), 256),
  },
  3: { tempo: "TBPM", headerBytes: 10, sizeOf: (bytes) => numberOf(bytes.subarray(4, 8), 256) },
  4: { tempo: "TBPM", headerBytes: 10, sizeOf: (bytes) => numberOf(bytes.subarray(4, 8), 128) },
};

interface FrameForm {
  readonly tempo: string;
  readonly headerBytes: number;
  /** Reads a frame's size without its header. */
  readonly sizeOf: (header: Uint8Array) => number;
}

/** Returns the size of what may lie between the tag's header and its frames. */
function extensionBytes(head: Uint8Array, version: number): number {
  if (version < 3 || ((head[5] ?? 0) & HAS_EXTENSION) === 0) return 0;
  const size = head.subarray(TAG_HEADER_BYTES, TAG_HEADER_BYTES + 4);
  // Version 2.4 counts these four bytes, 2.3 doesn't.
  return version === 4 ? numberOf(size, 128) : numberOf(size, 256) + 4;
}

function numberOf(bytes: Uint8Array, base: number): number {
  return bytes.reduce((sum, byte) => sum * base + byte, 0);
}

/** Reads a text frame's number. Every encoding writes digits as ASCII, some with zero bytes between them. */
function tempoIn(body: Uint8Array): number | undefined {
  const characters = [...body.subarray(1)].filter((byte) => byte > 0 && byte < 0x80);
  const text = String.fromCharCode(...characters).trim();
  const bpm = /^\d{2,3}(?:[.,]\d{1,6})?$/.test(text) ? Number(text.replace(",", ".")) : 0;
  return bpm > 0 ? bpm : undefined;
}
