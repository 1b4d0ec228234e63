import { basename, relative, sep } from "node:path";
import { CRC_BYTES, crc16 } from "../../../core/live-set/crc16.ts";
import { liveSetSentence } from "../../../core/live-set/live-set-sentences.ts";
import type { SetAudio } from "../../../core/live-set/set-plan.ts";
import { SoundFile, SoundFileError } from "../../disk/sound-file.ts";

/**
 * Reads what a Set says of a WAV (rule LS7).
 * @param path absolute
 * @param from the folder that the relative path starts at: the Set's, which for `project` is the project's, too
 * @throws {SoundFileError} when it can't be read, or is of a kind that Live refuses
 * @throws {Refusal} when it isn't a usable WAV
 */
export async function readSetAudio(
  path: string,
  [from, folder]: readonly [from: SetAudio["file"]["from"], folder: string],
): Promise<SetAudio> {
  await using sound = await SoundFile.open(path);
  const { header, start, sizeBytes, modifiedMs } = await sound.readFacts(CRC_BYTES);
  if (header.encoding === "pcm" && header.bitsPerSample === 32) {
    throw new SoundFileError(liveSetSentence("SET_INT_32", { file: basename(path) }));
  }
  return {
    file: { from, relativePath: slashed(relative(folder, path)), path: slashed(path) },
    sizeBytes,
    crc: crc16(start),
    modifiedSeconds: Math.max(0, Math.floor(modifiedMs / 1000)),
    frames: header.frames,
    sampleRateHz: header.sampleRateHz,
  };
}

function slashed(path: string): string {
  return path.replaceAll(sep, "/");
}
