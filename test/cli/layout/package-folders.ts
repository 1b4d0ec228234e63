import { copyFile, link, mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { smallWav } from "../../wav-bytes.ts";

/** The sounds of a test's package folder; each has its own `file`. */
export interface PackageRequest {
  readonly title: string;
  readonly items: readonly { readonly file: string; readonly [setting: string]: unknown }[];
}

/** Two one-shots, one at -3 dB. */
export const TWO_HITS: PackageRequest["items"] = [
  { file: "hit.wav", name: "Hit", kind: "oneshot", gain_db: -3 },
  { file: "tick.wav", name: "Tick", kind: "oneshot" },
];

/** Writes a package folder with a small WAV for every sound. */
export async function writePackage(
  folder: string,
  { title, items }: PackageRequest = { title: "Found", items: TWO_HITS },
  wav?: string,
): Promise<string> {
  await mkdir(folder, { recursive: true });
  for (const { file } of items) await placeWav(join(folder, file), wav);
  await writeManifest(folder, { title, items });
  return folder;
}

/** Writes only the manifest again. */
export async function writeManifest(
  folder: string,
  { title, items }: PackageRequest,
): Promise<void> {
  const manifest = { schema: "app2host/1", title, source: { app: "App" }, items };
  await writeFile(join(folder, "manifest.json"), JSON.stringify(manifest));
}

/**
 * A library of many packages with the same few sounds, in three folders: `Set 1/Package 1` and so on,
 * each with its own title.
 * @returns the package folders in their order
 */
export async function writeLibrary(
  root: string,
  options: { readonly packages: number; readonly sounds: number },
): Promise<readonly string[]> {
  const wav = join(root, "one.wav");
  await mkdir(root, { recursive: true });
  await writeFile(wav, smallWav({ fill: 1 }));
  const items = Array.from({ length: options.sounds }, (_, index) => ({
    file: `sound-${index + 1}.wav`,
    name: `Sound ${index + 1}`,
  }));
  const third = Math.ceil(options.packages / 3);
  const folders = Array.from({ length: options.packages }, (_, index) =>
    join(root, `Set ${Math.floor(index / third) + 1}`, `Package ${index + 1}`),
  );
  const write = (folder: string, index: number) =>
    writePackage(folder, { title: `Title ${index + 1}`, items }, wav);
  await Promise.all(folders.map(write));
  return folders;
}

/** Links are fast; copies if there are no links. */
async function placeWav(path: string, wav: string | undefined): Promise<void> {
  if (wav === undefined) return writeFile(path, smallWav({ fill: 1 }));
  await link(wav, path).catch(() => copyFile(wav, path));
}
