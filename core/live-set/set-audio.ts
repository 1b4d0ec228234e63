import type { WavHeader } from "../audio/wav-header.ts";
import { crc16 } from "./crc16.ts";
import type { SetAudio, SetFile } from "./set-plan.ts";

/** The facts of a WAV that a Set refers to. */
export interface WavFacts {
  readonly header: WavHeader;
  /** The file's first bytes: `CRC_BYTES`, or all of a shorter one. */
  readonly start: Uint8Array;
  readonly sizeBytes: number;
  /** The time of the last change, in milliseconds since 1970. */
  readonly modifiedMs: number;
}

/** Checks whether Live refuses a kind of WAV that packages may have: 32-bit integers (rule LS7). */
export function isRefusedByLive({ encoding, bitsPerSample }: WavHeader): boolean {
  return encoding === "pcm" && bitsPerSample === 32;
}

/** Returns what a Set says of a WAV (rule LS7). */
export function setAudioOf(
  { header, start, sizeBytes, modifiedMs }: WavFacts,
  file: SetFile,
): SetAudio {
  return {
    file,
    sizeBytes,
    crc: crc16(start),
    modifiedSeconds: Math.max(0, Math.floor(modifiedMs / 1000)),
    frames: header.frames,
    sampleRateHz: header.sampleRateHz,
  };
}
