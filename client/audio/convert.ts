import { CONTAINERS, isAiff, isLfsPointer, textAt } from "../../core/audio/file-start.ts";
import { MAX_PACKAGE_BYTES } from "../../core/limits.ts";
import { PACKAGE_SIZE } from "../../core/text/format-limit.ts";
import { type LoopHints, readLoopHints } from "../../core/audio/read-loop-hints.ts";
import { readWavHeaderAt } from "../../core/audio/read-wav-header-at.ts";
import type { RepairNote } from "../../core/audio/repair-note.ts";
import type { WavHeader } from "../../core/audio/wav-header.ts";
import { ClientError } from "../wire/client-error.ts";
import { withClientErrors } from "../wire/with-client-errors.ts";
import { fileNameOf, readerOf, readPiece } from "../send/sound-bytes.ts";
import { aiffToWav } from "./write-wav.ts";
import { decode, wavOf } from "./decode.ts";
import { repairWav, withoutTag } from "./repair-wav.ts";
import { type AudioKind, readAudioKind } from "./read-audio-kind.ts";

/** A sound as a WAV that a relay accepts. */
export interface ConvertedSound {
  /** The same Blob if it was a WAV without a need for repair. */
  readonly wav: Blob;
  readonly header: WavHeader;
  /** Loop settings stored in the file. */
  readonly hints: LoopHints;
  /** The format that it was converted from; null if it was a WAV. */
  readonly from: SourceFormat | null;
  /** Notes on repairs of a WAV, and on a part of its file that isn't used. */
  readonly notes: readonly RepairNote[];
}

/** The format of a converted file. Its `name` is null if it is unknown. */
export type SourceFormat = Omit<AudioKind, "name"> & { readonly name: string | null };

const START_BYTES = 12;
const UNKNOWN: SourceFormat & { readonly hasSound?: boolean } = {
  name: null,
  sampleRateHz: null,
  isPadded: false,
  isVideo: false,
};
/** Sample rate for a file that doesn't state one. */
const USUAL_RATE_HZ = 48_000;

/**
 * Converts any sound file to WAV at its own sample rate. A WAV that a relay accepts is returned unchanged, and one that
 * only players read is repaired; what remains wrong is refused as by the relay. An AIFF or AIFF-C keeps its samples.
 * Other files that the browser can decode become 24 bits, and so does the sound of a video.
 * @param options `name` is used in errors; default: the File's
 * @throws {ClientError} the relay's `WAV_…` refusal, an `AIFF_…` one, `SOUND_EMPTY`, `SOUND_TOO_LARGE`,
 * `SOUND_MISSING` for a video without sound, `SOUND_CHANNELS`, `SOUND_UNDECODABLE` or `SOUND_UNREADABLE`
 */
export async function convert(
  sound: Blob,
  { name = fileNameOf(sound) ?? "The sound" }: { readonly name?: string | undefined } = {},
): Promise<ConvertedSound> {
  if (sound.size === 0) throw new ClientError(`${name} is empty.`, { code: "SOUND_EMPTY" });
  assertFits(sound, `${name} is larger than ${PACKAGE_SIZE}.`);
  return withClientErrors(async () => {
    const { wav, ...known } = await asWav(sound, name);
    assertFits(wav, `${name} is larger than ${PACKAGE_SIZE} as WAV.`);
    return { wav, ...known, header: await readWavHeaderAt(readerOf(wav), wav.size, name) };
  });
}

async function asWav(file: Blob, name: string): Promise<Omit<ConvertedSound, "header">> {
  const { sound, notes } = await withoutTag(file);
  const start = await readPiece(sound, 0, START_BYTES);
  if (CONTAINERS.includes(textAt(start, 0)) || isLfsPointer(start)) {
    const { sound: wav, notes: all } = await repairWav(file);
    return { wav, hints: await readLoopHints(readerOf(wav), wav.size), from: null, notes: all };
  }
  if (isAiff(start)) {
    const { wav, header } = await aiffToWav(sound, name);
    const { sampleRateHz } = header.wav;
    return {
      wav,
      hints: header.hints,
      from: { ...UNKNOWN, name: "AIFF", sampleRateHz },
      notes,
    };
  }
  const bytes = await readPiece(file, 0, file.size);
  const { hasSound = true, ...from } = readAudioKind(bytes) ?? UNKNOWN;
  if (!hasSound) {
    throw new ClientError(`${name} is a video without sound.`, { code: "SOUND_MISSING" });
  }
  const decoded = await decode(bytes.buffer, from.sampleRateHz ?? USUAL_RATE_HZ, name);
  return { wav: await wavOf(decoded, name), hints: {}, from, notes: [] };
}

function assertFits(sound: Blob, sentence: string): void {
  if (sound.size > MAX_PACKAGE_BYTES) throw new ClientError(sentence, { code: "SOUND_TOO_LARGE" });
}
