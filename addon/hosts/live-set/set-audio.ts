import { basename, relative, sep } from "node:path";
import { CRC_BYTES } from "../../../core/live-set/crc16.ts";
import { liveSetSentence } from "../../../core/live-set/live-set-sentences.ts";
import { isRefusedByLive, setAudioOf } from "../../../core/live-set/set-audio.ts";
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
  const facts = await sound.readFacts(CRC_BYTES);
  if (isRefusedByLive(facts.header)) {
    throw new SoundFileError(liveSetSentence("SET_INT_32", { file: basename(path) }));
  }
  const relativePath = slashed(relative(folder, path));
  return setAudioOf(facts, { from, relativePath, path: slashed(path) });
}

function slashed(path: string): string {
  return path.replaceAll(sep, "/");
}
