import { LocalPackageError } from "../../addon/packages/local-package-error.ts";
import type { PackageAudioJson, SoundAudioJson } from "../../core/layout/audio-schema.ts";
import { type FileProblem, fileProblem } from "../../core/layout/file-problem.ts";
import type { Sound } from "../../core/manifest/manifest.ts";
import { hashFile, readAudio } from "./read-audio.ts";
import type { FolderPackage, UnusableFile } from "./read-package-folder.ts";

/** A package's audio, and everything that is wrong with its files. */
export interface PackageAudio {
  readonly json: PackageAudioJson;
  /** In the order of the sounds, accepted or not. */
  readonly problems: readonly FileProblem[];
}

/**
 * Reads the audio of a package, each sound once, and compares its files with the manifest (rules B6, B7).
 * @param read reads a sound
 */
export async function readPackageAudio(
  { local, headers }: FolderPackage,
  read = readAudio,
): Promise<PackageAudio> {
  const sounds: SoundAudioJson[] = [];
  const problems: FileProblem[] = [];
  const attempt = async <Found>(sound: Sound, reading: Promise<Found>) => {
    try {
      return await reading;
    } catch (error) {
      if (!(error instanceof LocalPackageError)) throw error;
      problems.push(fileProblem(sound, error.code ?? "UNUSABLE", error.message));
      return undefined;
    }
  };
  for (const sound of local.manifest.items) {
    const header = headers.get(sound.id);
    if (header === undefined) continue;
    if ("error" in header) problems.push(unusable(sound, header));
    const wav = "error" in header ? header.otherSize?.wav : header;
    const audio = wav && (await attempt(sound, read(local, sound, wav)));
    if (audio !== undefined) sounds.push(audio.json);
    const isUnknown = "error" in header && header.otherSize === undefined;
    if (sound.sha256 === undefined || isUnknown) continue;
    const found =
      wav === undefined ? await attempt(sound, hashFile(local, sound)) : audio?.fileSha256;
    if (found !== undefined && found !== sound.sha256) problems.push(otherSha256(sound));
  }
  const { tempo } = local.manifest;
  return {
    json: {
      tempo_bpm: tempo?.bpm ?? null,
      time_signature: tempo?.time_signature?.join("/") ?? null,
      sounds,
    },
    problems,
  };
}

function unusable(sound: Sound, { code, error, otherSize }: UnusableFile): FileProblem {
  const sentence =
    otherSize === undefined
      ? error
      : `manifest.json says ${sound.bytes} bytes, but ${sound.file} has ${otherSize.fileBytes}.`;
  return fileProblem(sound, code, sentence);
}

function otherSha256(sound: Sound): FileProblem {
  const sentence = `the SHA-256 in manifest.json doesn't match ${sound.file}.`;
  return fileProblem(sound, "SHA256_DIFFERS", sentence);
}
