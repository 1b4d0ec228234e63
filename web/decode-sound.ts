import { peaksOf } from "../core/page/peaks.ts";

/** At what rate the pages decode and play, so that sounds at any rate are made to fit once, with care. */
export const PAGE_RATE_HZ = 48_000;

/** Columns of an outline. */
const COLUMNS = 160;

/**
 * A sound, ready to play.
 * @param bytes of its file; can't be used any more afterwards
 * @throws {Error} with a sentence
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
  const channels = Array.from({ length: sound.numberOfChannels }, (_, index) =>
    sound.getChannelData(index),
  );
  return peaksOf(channels, COLUMNS);
}
