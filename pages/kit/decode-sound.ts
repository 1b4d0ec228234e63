import { channelsOf, OUTLINE_COLUMNS, peaksOf } from "../../core/audio/peaks.ts";

/** The pages decode and play at this rate, so that every sound is resampled once, at high quality. */
export const PAGE_RATE_HZ = 48_000;

/**
 * Decodes a sound for playback.
 * @param bytes the file's bytes, which are detached by the call
 * @throws {Error} with a sentence to show
 */
export async function decodeSound(bytes: ArrayBuffer): Promise<AudioBuffer> {
  try {
    return await new OfflineAudioContext(1, 1, PAGE_RATE_HZ).decodeAudioData(bytes);
  } catch (cause) {
    throw new Error("This file can’t be played here.", { cause });
  }
}

/** The sound's peaks from 0 to 1 over its whole length, for `formatOutline`. */
export function outlineOf(sound: AudioBuffer): readonly number[] {
  return peaksOf(channelsOf(sound), OUTLINE_COLUMNS);
}
