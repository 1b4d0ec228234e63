import { open } from "node:fs/promises";
import {
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

type ReadSound = WavHeader | { readonly error: string };

/**
 * The layout of a package folder, as an importer would plan it for the first package it ever got:
 * sounds without a colour have the first of the rotation. Of each WAV only the header is read. A
 * sound whose file is missing or can't be used has the reason in its place.
 * @throws {LocalPackageError} without a readable `manifest.json`
 * @throws {Refusal} when the manifest as a whole can't be used
 */
export async function readPackageFolder(folder: string): Promise<Layout> {
  const local = await readLocalPackage(folder);
  const sounds = new Map<string, ReadSound>();
  for (const sound of local.manifest.items) sounds.set(sound.id, await readSound(local, sound));
  return planLayout({
    manifest: local.manifest,
    warnings: local.warnings,
    sounds,
    colourTurn: 0,
  });
}

async function readSound(local: LocalPackage, sound: Sound): Promise<ReadSound> {
  const problem = local.problems.get(sound.id);
  if (problem !== undefined) return { error: problem };
  try {
    return await readHeader(await local.pathOf(sound), sound);
  } catch (error) {
    if (error instanceof Refusal || error instanceof LocalPackageError) {
      return { error: error.message };
    }
    throw error;
  }
}

async function readHeader(path: string, sound: Sound): Promise<WavHeader> {
  const file = await open(path).catch((cause: unknown) => {
    throw new LocalPackageError(`${sound.file} can't be read.`, { cause });
  });
  try {
    const { size } = await file.stat();
    if (sound.bytes !== undefined && sound.bytes !== size) {
      throw refusal("SIZE_DIFFERS", { file: sound.file, got: size, announced: sound.bytes });
    }
    const readAt = async (offset: number, length: number): Promise<Uint8Array> => {
      const { bytesRead, buffer } = await file.read(new Uint8Array(length), 0, length, offset);
      return buffer.subarray(0, bytesRead);
    };
    return await readWavHeaderAt(readAt, size, sound.file);
  } finally {
    await file.close();
  }
}
