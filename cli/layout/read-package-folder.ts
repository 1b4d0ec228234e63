import { stat } from "node:fs/promises";
import {
  isPackageFolder,
  type LocalPackage,
  LocalPackageError,
  readLocalPackage,
} from "../../addon/import/local-package.ts";
import type { Layout } from "../../core/layout/layout.ts";
import { planLayout } from "../../core/layout/plan-layout.ts";
import type { Sound } from "../../core/manifest/manifest.ts";
import { Refusal, refusal } from "../../core/refusal.ts";
import { readWavHeaderAt } from "../../core/wav/read-wav-header-at.ts";
import type { WavHeader } from "../../core/wav/wav-header.ts";

/** A package folder, read as far as its layout needs. */
export interface FolderPackage {
  /** As it was asked for. */
  readonly folder: string;
  readonly local: LocalPackage;
  readonly layout: Layout;
  /** By sound id: the WAV's header, or a sentence that says why the sound can't be used. */
  readonly headers: ReadonlyMap<string, ReadSound>;
}

type ReadSound = WavHeader | { readonly error: string };

/**
 * Reads a package folder and plans its layout, as an importer would for the first package it ever got:
 * sounds without a colour have the first of the rotation. Of each WAV only the header is read. A
 * sound whose file is missing or can't be used has the reason in its place.
 * @throws {LocalPackageError} without a readable `manifest.json`
 * @throws {Refusal} when the manifest as a whole can't be used
 */
export async function readPackageFolder(folder: string): Promise<FolderPackage> {
  const local = await readLocalPackage(folder).catch(async (cause: unknown) => {
    if (!(await isWithoutPackage(folder))) throw cause;
    const sentence =
      "There is no package: neither here nor in a folder beneath is a manifest.json.";
    throw new LocalPackageError(sentence, { cause });
  });
  const headers = new Map<string, ReadSound>();
  for (const sound of local.manifest.items) headers.set(sound.id, await readSound(local, sound));
  const { manifest, warnings } = local;
  const layout = planLayout({ manifest, warnings, sounds: headers, colourTurn: 0 });
  return { folder, local, layout, headers };
}

/** Whether it is a folder, but not of a package: such as a library in which none was found (rule B1). */
async function isWithoutPackage(folder: string): Promise<boolean> {
  try {
    return (await stat(folder)).isDirectory() && !(await isPackageFolder(folder));
  } catch {
    return false;
  }
}

async function readSound(local: LocalPackage, sound: Sound): Promise<ReadSound> {
  const problem = local.problems.get(sound.id);
  if (problem !== undefined) return { error: problem };
  try {
    return await readHeader(local, sound);
  } catch (error) {
    if (error instanceof Refusal || error instanceof LocalPackageError) {
      return { error: error.message };
    }
    throw error;
  }
}

async function readHeader(local: LocalPackage, sound: Sound): Promise<WavHeader> {
  const { file, sizeBytes } = await local.openFile(sound);
  try {
    if (sound.bytes !== undefined && sound.bytes !== sizeBytes) {
      throw refusal("SIZE_DIFFERS", { file: sound.file, got: sizeBytes, announced: sound.bytes });
    }
    const readAt = async (offset: number, length: number): Promise<Uint8Array> => {
      const { bytesRead, buffer } = await file.read(new Uint8Array(length), 0, length, offset);
      return buffer.subarray(0, bytesRead);
    };
    return await readWavHeaderAt(readAt, sizeBytes, sound.file);
  } finally {
    await file.close();
  }
}
