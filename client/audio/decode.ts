import { channelsOf, OUTLINE_COLUMNS, peaksOf } from "../../core/audio/peaks.ts";
import { ClientError } from "../wire/client-error.ts";
import { writeWav } from "./write-wav.ts";

/**
 * Decodes any sound file that this browser can decode.
 * @param bytes detached by the call
 * @param rateHz the decoded sound's sample rate
 * @throws {ClientError} `SOUND_UNDECODABLE`
 */
export async function decode(
  bytes: ArrayBuffer,
  rateHz: number,
  name: string,
): Promise<AudioBuffer> {
  try {
    return await new OfflineAudioContext(1, 1, rateHz).decodeAudioData(bytes);
  } catch (cause) {
    const sentence = `This browser can’t read ${name}. Send it as WAV.`;
    throw new ClientError(sentence, { code: "SOUND_UNDECODABLE", cause });
  }
}

/**
 * Writes a sound of Web Audio as a WAV of 24 bits at its own rate. Clips samples above full scale.
 * @param name used in the error's sentence
 * @throws {ClientError} `SOUND_CHANNELS` for more than two
 */
export async function wavOf(sound: AudioBuffer, name = "The sound"): Promise<Blob> {
  const { numberOfChannels, sampleRate } = sound;
  if (numberOfChannels > 2) {
    const sentence = `${name} has ${numberOfChannels} channels. Export it as stereo.`;
    throw new ClientError(sentence, { code: "SOUND_CHANNELS" });
  }
  return writeWav({ channels: channelsOf(sound), sampleRateHz: sampleRate });
}

/**
 * Returns a sound's waveform: the highest amplitude of all channels, 0 to 1, in each of `columns` equal spans, or
 * in each sample if it has fewer.
 */
export function peaks(sound: AudioBuffer, columns = OUTLINE_COLUMNS): readonly number[] {
  return peaksOf(channelsOf(sound), columns);
}
