import { readPiece } from "../../../client/sound-bytes.ts";
import { isAiff } from "../../../core/aiff/read-aiff-at.ts";
import type { WavFormat } from "../../../core/wav/read-format.ts";
import type { LoopHints } from "../../../core/wav/read-loop-hints.ts";
import { channelsOf } from "../../../web/decode-sound.ts";
import { t } from "../../../web/text.tsx";
import { aiffToWav } from "./aiff-to-wav.ts";
import { readAudioKind } from "./read-audio-kind.ts";
import { writeWav } from "./write-wav.ts";

/** A file that was converted to WAV. */
export interface Converted {
  readonly wav: Blob;
  /** What the file said about its loop. */
  readonly hints: LoopHints;
  /** What was done and what it means, for the sender. */
  readonly notes: readonly string[];
}

/** For a file that doesn't state its sample rate. */
const USUAL_RATE_HZ = 48_000;
const AIFF_HEADER_BYTES = 12;

/**
 * Converts a file to WAV at its own sample rate: an AIFF by reordering its bytes, what the browser can decode
 * with 24 bits.
 * @throws {Error} with a sentence to show; {Refusal} for an AIFF that can't become a WAV
 */
export async function convertToWav(file: File): Promise<Converted> {
  if (isAiff(await readPiece(file, 0, AIFF_HEADER_BYTES))) {
    const { wav, header } = await aiffToWav(file);
    const note = t("page.convertedFrom", { kind: "AIFF", ...factsOf(header.wav) });
    return { wav, hints: header.hints, notes: [note] };
  }
  return decodeToWav(file);
}

async function decodeToWav(file: File): Promise<Converted> {
  const bytes = await readPiece(file, 0, file.size);
  const kind = readAudioKind(bytes);
  const ownRateHz = kind?.sampleRateHz ?? null;
  const samples = await decode(bytes.buffer, ownRateHz ?? USUAL_RATE_HZ, file.name);
  if (samples.numberOfChannels > 2) {
    throw new Error(
      t("page.manyChannels", { file: file.name, channels: samples.numberOfChannels }),
    );
  }
  const wav = await writeWav({ channels: channelsOf(samples), sampleRateHz: samples.sampleRate });
  const facts = factsOf({ bitsPerSample: 24, sampleRateHz: samples.sampleRate });
  return {
    wav,
    hints: {},
    notes: [
      kind === undefined
        ? t("page.converted", facts)
        : t("page.convertedFrom", { kind: kind.name, ...facts }),
      ...(ownRateHz === null ? [t("page.rateUnknown")] : []),
      ...(kind?.isPadded === true ? [t("page.padded", { kind: kind.name })] : []),
    ],
  };
}

function factsOf({
  bitsPerSample: bits,
  sampleRateHz,
}: Pick<WavFormat, "bitsPerSample" | "sampleRateHz">): {
  readonly bits: number;
  readonly kilohertz: number;
} {
  return { bits, kilohertz: sampleRateHz / 1000 };
}

async function decode(bytes: ArrayBuffer, rateHz: number, name: string): Promise<AudioBuffer> {
  try {
    return await new OfflineAudioContext(1, 1, rateHz).decodeAudioData(bytes);
  } catch (cause) {
    throw new Error(t("page.undecodable", { file: name }), { cause });
  }
}
