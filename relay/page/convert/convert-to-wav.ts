import { readPiece } from "../../../client/sound-bytes.ts";
import { readAudioKind } from "./read-audio-kind.ts";
import { writeWav } from "./write-wav.ts";

/** A file that was converted to WAV. */
export interface Converted {
  readonly wav: Blob;
  readonly samples: AudioBuffer;
  /** What was done and what it means, for the sender. */
  readonly notes: readonly string[];
}

/** For a file that doesn't state its sample rate. */
const USUAL_RATE_HZ = 48_000;

/**
 * Converts what the browser can decode to a 24-bit WAV at the file's own sample rate.
 * @throws {Error} with a sentence to show
 */
export async function convertToWav(file: File): Promise<Converted> {
  const bytes = await readPiece(file, 0, file.size);
  const kind = readAudioKind(bytes);
  const ownRateHz = kind?.sampleRateHz ?? null;
  const samples = await decode(bytes.buffer, ownRateHz ?? USUAL_RATE_HZ, file.name);
  if (samples.numberOfChannels > 2) {
    throw new Error(`${file.name} has ${samples.numberOfChannels} channels. Export it as stereo.`);
  }
  const channels = Array.from({ length: samples.numberOfChannels }, (_, index) =>
    samples.getChannelData(index),
  );
  const wav = await writeWav({ channels, sampleRateHz: samples.sampleRate });
  const from = kind === undefined ? "" : ` from ${kind.name}`;
  const rate = `${samples.sampleRate / 1000} kHz`;
  const guessed = ownRateHz === null ? "; the file doesn’t state its own rate" : "";
  return {
    wav,
    samples,
    notes: [
      `Converted${from} to WAV: 24 bits, ${rate}${guessed}.`,
      ...(kind?.isPadded === true
        ? [`${kind.name} adds silence around a sound, so a loop won’t be exact.`]
        : []),
    ],
  };
}

async function decode(bytes: ArrayBuffer, rateHz: number, name: string): Promise<AudioBuffer> {
  try {
    return await new OfflineAudioContext(1, 1, rateHz).decodeAudioData(bytes);
  } catch (cause) {
    throw new Error(`This browser can’t read ${name}. Send it as WAV.`, { cause });
  }
}
