import { lstat, stat } from "node:fs/promises";
import { join } from "node:path";
import { DiskError } from "../../addon/disk/disk-error.ts";
import { isMissing } from "../../addon/disk/atomic-file.ts";
import { readerOf } from "../../addon/disk/read-at.ts";
import { MANIFEST_FILE } from "../../addon/disk/written-files.ts";
import { LocalPackageError } from "../../addon/packages/local-package-error.ts";
import { type LocalPackage, readLocalPackage } from "../../addon/packages/local-package.ts";
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

/** A sound's header, or a sentence that says why it can't be used. */
export type ReadSound = ReadWav | { readonly error: string };

/**
 * Reads a package folder and plans its layout as an importer would, but for the colors of sounds without one, which
 * only the importer knows. Reads only the headers of the WAVs.
 * @throws {LocalPackageError} without a readable `manifest.json`
 * @throws {Refusal} if the manifest as a whole can't be used
 */
export async function readPackageFolder(folder: string): Promise<FolderPackage> {
  const local = await readLocalPackage(folder).catch(async (cause: unknown) => {
    const sentence = await formatWithoutPackage(folder);
    throw sentence === undefined ? cause : new LocalPackageError(sentence, { cause });
  });
  const headers = new Map<string, ReadSound>();
  for (const sound of local.manifest.items) headers.set(sound.id, await readSound(local, sound));
  const { manifest, warnings } = local;
  const layout = planLayout({ manifest, warnings, sounds: headers, colorTurn: null });
  return { folder, local, layout, headers };
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

async function readSound(local: LocalPackage, sound: Sound): Promise<ReadSound> {
  const problem = local.problems.get(sound.id);
  if (problem !== undefined) return { error: problem };
  try {
    return await readHeader(local, sound);
  } catch (error) {
    const isItsOwn = [Refusal, LocalPackageError, DiskError].some((kind) => error instanceof kind);
    if (!isItsOwn) throw error;
    return { error: sentenceOf(error) };
  }
}

async function readHeader(local: LocalPackage, sound: Sound): Promise<ReadWav> {
  const { file, sizeBytes, fingerprint } = await local.openFile(sound);
  try {
    if (sound.bytes !== undefined && sound.bytes !== sizeBytes) {
      throw refusal("SIZE_DIFFERS", { file: sound.file, got: sizeBytes, announced: sound.bytes });
    }
    const header = await readWavHeaderAt(readerOf(file, sound.file), sizeBytes, sound.file);
    return { ...header, fileBytes: sizeBytes, fingerprint };
  } finally {
    await file.close();
  }
}
