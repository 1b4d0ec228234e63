import { lstat, stat } from "node:fs/promises";
import { join } from "node:path";
import { QUICK_DISK } from "../../addon/disk/disk-calls.ts";
import { DiskError } from "../../addon/disk/disk-error.ts";
import { isMissing } from "../../addon/disk/atomic-file.ts";
import { readerOf } from "../../addon/disk/read-at.ts";
import { MANIFEST_FILE } from "../../core/manifest/manifest.ts";
import { LocalPackageError } from "../../addon/packages/local-package-error.ts";
import {
  type LocalPackage,
  openInside,
  type OpenFile,
  type ReadOptions,
  readLocalPackage,
} from "../../addon/packages/local-package.ts";
import { readWavHeaderAt } from "../../core/audio/read-wav-header-at.ts";
import type { WavHeader } from "../../core/audio/wav-header.ts";
import type { Layout } from "../../core/layout/layout.ts";
import { planLayout } from "../../core/layout/plan-layout.ts";
import type { Sound } from "../../core/manifest/manifest.ts";
import { sentenceOf } from "../../core/text/sentence-of.ts";
import { Refusal, refusal } from "../../core/protocol/refusal.ts";

/** A package folder, read as far as its layout needs. */
export interface FolderPackage {
  /** The path as given. */
  readonly folder: string;
  readonly local: LocalPackage;
  /** Its colors are automatic where no sound sets them (rule T4). */
  readonly layout: Layout<number | null>;
  /** Headers by sound id. */
  readonly headers: ReadonlyMap<string, ReadSound>;
}

/** A WAV's header and its file. */
export interface ReadWav extends WavHeader {
  readonly fileBytes: number;
  /** Changes when the file is written to or replaced. */
  readonly fingerprint: string;
}

/** A sound's header, or why it can't be used. */
export type ReadSound = ReadWav | UnusableFile;

export interface UnusableFile {
  /** A sentence. */
  readonly error: string;
  /** A code of `FileProblem`. */
  readonly code: string;
  /** The file, if only its size isn't the manifest's; without a header if it isn't a usable WAV either. */
  readonly otherSize?: { readonly fileBytes: number; readonly wav: ReadWav | undefined };
}

/**
 * Reads a package folder and plans its layout as an importer would, but for the colors of sounds without one, which
 * only the importer knows. Reads only the headers of the WAVs, and opens each file once.
 * @throws {LocalPackageError} without a readable `manifest.json`
 * @throws {Refusal} if the manifest as a whole can't be used
 */
export async function readPackageFolder(
  folder: string,
  { onManifest }: Pick<ReadOptions, "onManifest"> = {},
): Promise<FolderPackage> {
  const headers = new Map<string, ReadSound>();
  const look = async (realFolder: string, sound: Sound): Promise<number> => {
    const opened = await openInside(realFolder, sound.file, QUICK_DISK);
    headers.set(sound.id, await readSound(opened, sound));
    return opened.sizeBytes;
  };
  const options = { disk: QUICK_DISK, look, onManifest };
  const local = await readLocalPackage(folder, options).catch(async (cause: unknown) => {
    const isThere = cause instanceof LocalPackageError && cause.code === "IN_ICLOUD";
    const sentence = isThere ? undefined : await formatWithoutPackage(folder);
    if (sentence === undefined) throw cause;
    throw new LocalPackageError(sentence, { cause, code: "NO_PACKAGE" });
  });
  const sounds = new Map<string, ReadSound>();
  for (const sound of local.manifest.items) {
    const problem = local.problems.get(sound.id);
    const read =
      problem === undefined ? headers.get(sound.id) : await explain(problem, local, sound);
    if (read !== undefined) sounds.set(sound.id, read);
  }
  const { manifest, warnings } = local;
  const layout = planLayout({ manifest, warnings, sounds, colorTurn: null });
  return { folder, local, layout, headers: sounds };
}

/** Describes a path that isn't a package (rule B1); undefined if there is a manifest, or nothing. */
async function formatWithoutPackage(path: string): Promise<string | undefined> {
  const itself = await stat(path).catch(() => undefined);
  if (itself?.isDirectory() === false) return "This is a file, not a package folder.";
  const hasManifest = await lstat(join(path, MANIFEST_FILE)).then(
    (manifest) => !manifest.isDirectory(),
    (error: unknown) => !isMissing(error),
  );
  if (itself === undefined || hasManifest) return undefined;
  return "No package found: there is no manifest.json here or in a subfolder.";
}

/** Returns a problem with its code: what is wrong with the file has one; what is wrong in the manifest has none. */
async function explain(error: string, local: LocalPackage, sound: Sound): Promise<UnusableFile> {
  try {
    await local.pathOf(sound);
    return { error, code: "UNUSABLE" };
  } catch (cause) {
    return unusable(cause, error);
  }
}

/** Reads a sound's header, or why it can't be used, and closes its file. */
async function readSound(opened: OpenFile, sound: Sound): Promise<ReadSound> {
  const { file } = opened;
  try {
    return await readHeader(opened, sound);
  } catch (error) {
    return unusable(error);
  } finally {
    await file.close();
  }
}

/** @throws what isn't an error of the file */
function unusable(error: unknown, sentence = sentenceOf(error)): UnusableFile {
  const isItsOwn = [Refusal, LocalPackageError, DiskError].some((kind) => error instanceof kind);
  if (!isItsOwn) throw error;
  const code =
    error instanceof Refusal || error instanceof LocalPackageError ? error.code : undefined;
  return { error: sentence, code: code ?? "UNUSABLE" };
}

async function readHeader(
  { file, sizeBytes: fileBytes, fingerprint }: OpenFile,
  sound: Sound,
): Promise<ReadSound> {
  const { bytes: announced = fileBytes } = sound;
  const otherSize = (wav?: ReadWav): UnusableFile => ({
    error: refusal("SIZE_DIFFERS", { file: sound.file, got: fileBytes, announced }).message,
    code: "SIZE_DIFFERS",
    otherSize: { fileBytes, wav },
  });
  try {
    const header = await readWavHeaderAt(readerOf(file, sound.file), fileBytes, sound.file);
    const wav = { ...header, fileBytes, fingerprint };
    return announced === fileBytes ? wav : otherSize(wav);
  } catch (error) {
    // A pointer is shorter than its sound; of all others the size says more.
    const isPointer = error instanceof Refusal && error.code === "WAV_LFS_POINTER";
    if (isPointer || announced === fileBytes) throw error;
    return otherSize();
  }
}
