import { RIFF_HEADER_BYTES, type WavHeader } from "./wav-header.ts";
import { type Chunk, readChunks } from "./read-chunks.ts";
import { readTagTempo } from "./read-tag-tempo.ts";
import type { ReadAt } from "./read-wav-header-at.ts";

/** Loop metadata of a WAV, unverified: many programs write wrong values. */
export interface LoopHints {
  /** The contents of an `acid` chunk. */
  readonly acid?: {
    readonly isOneShot: boolean;
    readonly beats: number;
    readonly tempoBpm: number;
  };
  /** The first loop of a `smpl` chunk, in frames; `endFrame` is inclusive. */
  readonly sampler?: { readonly startFrame: number; readonly endFrame: number };
  /** The tempo in a tag: the `TBPM` of an `id3 ` chunk. */
  readonly tempoBpm?: number;
}

const TAGS = new Set(["id3 ", "ID3 "]);
const ACID_BYTES = 24;
/** Bytes of a `smpl` chunk up to the end of its first loop. */
const SAMPLER_BYTES = 60;

/** Reads loop metadata from a WAV: up to 69 bytes per chunk, and its tag's frames. Omits what is missing or broken. */
export async function readLoopHints(readAt: ReadAt, fileBytes: number): Promise<LoopHints> {
  const hints: LoopHints[] = [];
  // A byte of padding may come first.
  const pieceBytes = SAMPLER_BYTES + 1;
  for (const chunk of await readChunks(readAt, RIFF_HEADER_BYTES, fileBytes, true, pieceBytes)) {
    const { name, bodyOffset, bodyBytes } = chunk;
    if (TAGS.has(name)) {
      const endOffset = Math.min(bodyOffset + bodyBytes, fileBytes);
      const tempoBpm = await readTagTempo(readAt, bodyOffset, endOffset);
      if (tempoBpm !== undefined) hints.push({ tempoBpm });
    } else hints.push(readHint(chunk));
  }
  return Object.assign({}, ...hints);
}

function readHint({ name, body }: Chunk): LoopHints {
  if (name === "acid" && body.byteLength >= ACID_BYTES) {
    const isOneShot = (body.getUint32(0, true) & 1) === 1;
    const [beats, tempoBpm] = [body.getUint32(12, true), body.getFloat32(20, true)];
    return { acid: { isOneShot, beats, tempoBpm } };
  }
  if (name === "smpl" && body.byteLength >= SAMPLER_BYTES && body.getUint32(28, true) > 0) {
    const [startFrame, endFrame] = [body.getUint32(44, true), body.getUint32(48, true)];
    return { sampler: { startFrame, endFrame } };
  }
  return {};
}

/** Bytes of an Apple Loops `basc` chunk that are read; the rest is padding. */
const BASC_BYTES = 18;
/** Bytes of an `INST` chunk up to the end of its sustain loop. */
const INSTRUMENT_BYTES = 14;
const LOOPS_FORWARD = 1;
const IS_LOOP = 1;

/**
 * Reads the loop metadata of an AIFF: `basc`, which Apple Loops have, and the sustain loop of `INST` with its
 * `MARK`ers. Omits what is missing or broken.
 * @param bodyOf the start of a chunk's body
 */
export function readLoopChunks(
  bodyOf: (name: string) => DataView | undefined,
  { frames, sampleRateHz }: Pick<WavHeader, "frames" | "sampleRateHz">,
): LoopHints {
  return {
    ...readAppleLoop(bodyOf("basc"), frames / sampleRateHz),
    ...readSustainLoop(bodyOf("INST"), bodyOf("MARK")),
  };
}

/** Reads a `basc` chunk, laid out as libsndfile reads it; the tempo follows from beats and length. */
function readAppleLoop(body: DataView | undefined, seconds: number): LoopHints {
  if (body === undefined || body.byteLength < BASC_BYTES) return {};
  const [beats, loopType] = [body.getUint32(4), body.getUint16(16)];
  const isOneShot = loopType !== IS_LOOP;
  if (!isOneShot && beats === 0) return {};
  return { acid: { isOneShot, beats, tempoBpm: (beats * 60) / seconds } };
}

function readSustainLoop(inst: DataView | undefined, mark: DataView | undefined): LoopHints {
  if (inst === undefined || inst.byteLength < INSTRUMENT_BYTES || mark === undefined) return {};
  if (inst.getUint16(8) !== LOOPS_FORWARD) return {};
  const positions = readMarkers(mark);
  const startFrame = positions.get(inst.getUint16(10));
  const endFrame = positions.get(inst.getUint16(12));
  if (startFrame === undefined || endFrame === undefined || endFrame <= startFrame) return {};
  // A marker lies between two frames; the loop's last frame is the one before it.
  return { sampler: { startFrame, endFrame: endFrame - 1 } };
}

/** Reads positions in frames, by the marker's id. Each marker has a name of any length. */
function readMarkers(body: DataView): ReadonlyMap<number, number> {
  const positions = new Map<number, number>();
  for (let at = 2; at + 7 <= body.byteLength;) {
    positions.set(body.getUint16(at), body.getUint32(at + 2));
    const nameBytes = 1 + body.getUint8(at + 6);
    at += 6 + nameBytes + (nameBytes % 2);
  }
  return positions;
}
