import { open } from "node:fs/promises";
import { join } from "node:path";
import type { WavHeader } from "../../core/audio/wav-header.ts";
import type { Layout } from "../../core/layout/layout.ts";
import { needsColorTurn, planLayout } from "../../core/layout/plan-layout.ts";
import { type Manifest, MANIFEST_FILE } from "../../core/manifest/manifest.ts";
import { NOT_SELECTED } from "../../core/protocol/package-status.ts";
import { Refusal } from "../../core/protocol/refusal.ts";
import type { FetchedSound } from "../../core/saved-package/saved-manifest.ts";
import { lstatIfAny } from "../disk/atomic-file.ts";
import { readWavHeader } from "../disk/read-at.ts";
import type { PackageFolder } from "../disk/sounds-folder.ts";
import { projectNameIn, readSavedSounds, writeAboutPackage } from "../disk/written-files.ts";
import type { PackageSource } from "../packages/package-source.ts";
import type { ColorTurns } from "../state/color-turns.ts";

export interface FetchedPackage {
  readonly source: PackageSource;
  readonly folder: PackageFolder;
  readonly fetched: ReadonlyMap<string, FetchedSound>;
}

/**
 * Saves a package (rule F10) before anything is placed, and plans the layout of what was fetched.
 * @throws {Error} when the disk fails
 */
export async function saveAndPlan(
  save: FetchedPackage,
  colorTurns: Pick<ColorTurns, "turnOf">,
): Promise<Layout> {
  const { manifest, warnings, packageId } = save.source;
  const colorTurn = needsColorTurn(manifest) ? await colorTurns.turnOf(packageId) : 0;
  await savePackage(save, colorTurn);
  return planLayout({ manifest, warnings, sounds: save.fetched, colorTurn });
}

/**
 * Makes a package's folder a package of its own (rule F10): writes the project for other DAWs, then the manifest, with
 * the files' own names, sizes and checksums. Does nothing where the folder has none of the sounds.
 */
async function savePackage(save: FetchedPackage, colorTurn: number): Promise<void> {
  const { source, folder, fetched } = save;
  const saved = await readSavedSounds(folder.path);
  const fileNameOf = (soundId: string) => folder.fileNameOf(soundId);
  // A computer that waits for sounds needs neither.
  const { savedManifest } = await import("../../core/saved-package/saved-manifest.ts");
  const { formatAboutPackage } = await import("../../core/saved-package/about-package.ts");
  const manifest = savedManifest(source, { fileNameOf, fetched, saved });
  const headers = await headersIn(folder, manifest, fetched);
  if (headers.size === 0) return;
  const { name: folderName, path } = folder;
  const { warnings } = source;
  const about = formatAboutPackage({ folderName, manifest, warnings, headers, colorTurn });
  const files = new Map<string, string | Uint8Array>([
    [await projectNameIn(path, about.project.name), about.project.bytes],
    [MANIFEST_FILE, about.manifest],
  ]);
  await writeAboutPackage(path, files);
}

/** Returns the headers of the sounds in the folder, those that this run left alone included. */
async function headersIn(
  folder: PackageFolder,
  { items }: Manifest,
  fetched: ReadonlyMap<string, FetchedSound>,
): Promise<ReadonlyMap<string, WavHeader>> {
  const headers = new Map<string, WavHeader>();
  for (const { id, file, bytes } of items) {
    const received = fetched.get(id);
    if (received !== undefined && !("error" in received)) headers.set(id, received);
    if (received === undefined || !("error" in received)) continue;
    if (received.error !== NOT_SELECTED) continue;
    const header = await readHeaderIn(join(folder.path, file), bytes);
    if (header !== undefined) headers.set(id, header);
  }
  return headers;
}

/** Reads the header of a file that an earlier run left; undefined where there is none of its size. */
async function readHeaderIn(
  path: string,
  bytes: number | undefined,
): Promise<WavHeader | undefined> {
  const found = await lstatIfAny(path);
  if (found?.isFile() !== true || (bytes !== undefined && found.size !== bytes)) return undefined;
  try {
    await using file = await open(path);
    return await readWavHeader(file, path);
  } catch (error) {
    // What isn't a WAV any more is not the package's sound.
    if (error instanceof Refusal) return undefined;
    throw error;
  }
}
