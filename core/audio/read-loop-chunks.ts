import type { LoopHints } from "./read-loop-hints.ts";
import type { WavHeader } from "./wav-header.ts";

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

/** Layout as libsndfile reads it; its tempo follows from beats and length. */
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

/** Positions in frames, by the marker's id. Each marker has a name of any length. */
function readMarkers(body: DataView): ReadonlyMap<number, number> {
  const positions = new Map<number, number>();
  for (let at = 2; at + 7 <= body.byteLength;) {
    positions.set(body.getUint16(at), body.getUint32(at + 2));
    const nameBytes = 1 + body.getUint8(at + 6);
    at += 6 + nameBytes + (nameBytes % 2);
  }
  return positions;
}
