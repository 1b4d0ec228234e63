import type { WavHeader } from "../../../../core/audio/wav-header.ts";
import { PROJECT_ENDING } from "../../../../core/dawproject/dawproject-name.ts";
import type { Layout } from "../../../../core/layout/layout.ts";
import type { LinkedWav } from "../../../../core/live-set/linked-live-set.ts";
import { MAX_JSON_BYTES } from "../../../../core/limits.ts";
import { type Manifest, MANIFEST_FILE } from "../../../../core/manifest/manifest.ts";
import { receiveSentence } from "../../../../core/protocol/receive-sentences.ts";
import { formatAboutPackage } from "../../../../core/saved-package/about-package.ts";
import { claimNames } from "../../../../core/saved-package/claim-names.ts";
import type { FolderMarker } from "../../../../core/saved-package/folder-marker.ts";
import { savedManifest } from "../../../../core/saved-package/saved-manifest.ts";
import { parseSavedSounds } from "../../../../core/saved-package/saved-sounds.ts";
import { encodeUtf8 } from "../../../../core/text/utf8.ts";
import {
  entriesOf,
  fileIfAny,
  isNamed,
  openPackageDirectory,
  type PackageDirectory,
  soundsFolderIn,
  writeFile,
  writeMarker,
} from "./folder-place.ts";
import {
  headersIn,
  namesBy,
  type PackageToSave,
  type SavedPlace,
  type SaveTarget,
} from "./package-to-save.ts";
import { type FormatLiveSet, linkedWavOf, type LiveSetFile } from "./live-set-file.ts";
import { readHeaderOf } from "./read-header.ts";
import { writeAbout } from "./write-about.ts";

const COMPARED_BYTES = 4 * 1024 ** 2;

/**
 * Saves a package in the folder that a person picked, as an importer on a computer does (rules RC8, F1, F2, F10): into the
 * package's own folder, which is found again by its marker. What is there already isn't written again. Calls reject with a
 * sentence when the browser may not write there, or the disk fails.
 */
export class FolderTarget implements SaveTarget {
  readonly needsCrc = false;
  readonly #picked: FileSystemDirectoryHandle;
  readonly #formatLiveSet: FormatLiveSet;
  #opened: OpenedPackage | undefined;

  constructor(picked: FileSystemDirectoryHandle, formatLiveSet: FormatLiveSet) {
    this.#picked = picked;
    this.#formatLiveSet = formatLiveSet;
  }

  async open(manifest: Manifest): Promise<void> {
    this.#opened = await this.#say(manifest.title, async () => {
      const sounds = await soundsFolderIn(this.#picked);
      const found = await openPackageDirectory(sounds, manifest);
      return { ...found, ...(await claimFileNames(found, manifest)) };
    });
  }

  async putSound(soundId: string, bytes: Blob): Promise<void> {
    const { directory, names } = this.#here();
    const file = namesBy(names)(soundId);
    await this.#say(file, () => writeSound(directory, file, bytes));
  }

  async finish(saving: PackageToSave): Promise<SavedPlace> {
    const opened = this.#here();
    await this.#say(MANIFEST_FILE, () => saveAbout(opened, saving, this.#formatLiveSet));
    return { folderName: opened.directory.name, fileNameOf: namesBy(opened.names) };
  }

  #here(): OpenedPackage {
    if (this.#opened === undefined) throw new Error("The folder isn't open.");
    return this.#opened;
  }

  async #say<Outcome>(file: string, work: () => Promise<Outcome>): Promise<Outcome> {
    try {
      return await work();
    } catch (cause) {
      throw new Error(sentenceFor(cause, { name: this.#picked.name, file }), { cause });
    }
  }
}

function sentenceFor(
  error: unknown,
  { name, file }: { readonly name: string; readonly file: string },
): string {
  if (isNamed(error, "NotAllowedError")) return receiveSentence("RECEIVE_FOLDER_CLOSED", { name });
  if (isNamed(error, "NotFoundError")) return receiveSentence("RECEIVE_FOLDER_GONE", { name });
  return receiveSentence("RECEIVE_NOT_WRITTEN", { file });
}

type OpenedPackage = PackageDirectory & ClaimedNames;

interface ClaimedNames {
  readonly names: ReadonlyMap<string, string>;
  readonly marker: FolderMarker;
  readonly saved: ReturnType<typeof parseSavedSounds>;
}

/** Gives each sound its name, and lists the names in the marker before the files are there. */
async function claimFileNames(
  { directory, marker }: PackageDirectory,
  manifest: Manifest,
): Promise<ClaimedNames> {
  const entries = await entriesOf(directory);
  const folders = new Set(entries.filter(({ kind }) => kind === "directory").map(nameOf));
  const about = await fileIfAny(directory, MANIFEST_FILE);
  const isReadable = about !== undefined && about.size <= MAX_JSON_BYTES;
  const saved = parseSavedSounds(isReadable ? await about.text() : "");
  const ours = new Set([...marker.fileNames].filter((name) => !folders.has(name)));
  const names = claimNames(manifest.items, { all: entries.map(nameOf), ours, saved });
  const fileNames = new Set([...ours, ...names.values()]);
  const listed = { ...marker, fileNames };
  if (fileNames.size !== marker.fileNames.size) await writeMarker(directory, listed);
  return { names, marker: listed, saved };
}

function nameOf({ name }: FileSystemHandle): string {
  return name;
}

async function writeSound(
  directory: FileSystemDirectoryHandle,
  name: string,
  bytes: Blob,
): Promise<void> {
  const there = await fileIfAny(directory, name);
  if (there !== undefined && (await isSameContent(there, bytes))) return;
  await writeFile(await directory.getFileHandle(name, { create: true }), bytes);
}

async function isSameContent(one: Blob, other: Blob): Promise<boolean> {
  if (one.size !== other.size) return false;
  for (let at = 0; at < one.size; at += COMPARED_BYTES) {
    const [mine, yours] = await Promise.all(
      [one, other].map(async (blob) => {
        return new Uint8Array(await blob.slice(at, at + COMPARED_BYTES).arrayBuffer());
      }),
    );
    if (mine?.some((byte, index) => byte !== yours?.[index]) !== false) return false;
  }
  return true;
}

/** Writes the DAWproject and then the manifest; what a person put there or changed stays (rule F10). */
async function saveAbout(
  opened: OpenedPackage,
  saving: PackageToSave,
  formatLiveSet: FormatLiveSet,
): Promise<void> {
  const { directory, marker, saved, names } = opened;
  const { manifest: whole, fetched, warnings, colorTurn } = saving;
  const fileNameOf = namesBy(names);
  const source = { packageId: whole.package_id, manifest: whole };
  const manifest = savedManifest(source, { fileNameOf, fetched, saved });
  const headers = headersIn(fetched);
  for (const { id, file } of manifest.items.filter((item) => !headers.has(item.id))) {
    const there = saved.get(id)?.file === file ? await fileIfAny(directory, file) : undefined;
    const header = there && (await readHeaderOf(there));
    if (header !== undefined) headers.set(id, header);
  }
  if (headers.size === 0) return;
  const folderName = directory.name;
  const about = formatAboutPackage({ folderName, manifest, warnings, headers, colorTurn });
  const projectName =
    [...marker.written.keys()].find((name) => isOwnName(name) && name.endsWith(PROJECT_ENDING)) ??
    about.project.name;
  const set = await liveSetOf(opened, { headers, layout: about.layout, fileNameOf }, formatLiveSet);
  const contents = new Map([
    [projectName, about.project.bytes],
    ...(set === null ? [] : [[set.path, set.bytes] as const]),
    [MANIFEST_FILE, encodeUtf8(about.manifest)],
  ]);
  await writeAbout(directory, marker, contents);
  if (set !== null) await makeFolders(directory, set.infoFolder);
}

interface SoundsInFolder extends Pick<SavedPlace, "fileNameOf"> {
  readonly headers: ReadonlyMap<string, WavHeader>;
  readonly layout: Layout;
}

/** Formats the experimental Live Set of the WAVs in the folder; null where it isn't wanted. */
async function liveSetOf(
  { directory }: OpenedPackage,
  { headers, layout, fileNameOf }: SoundsInFolder,
  formatLiveSet: FormatLiveSet,
): Promise<LiveSetFile | null> {
  const sounds = new Map<string, LinkedWav>();
  for (const [id, header] of headers) {
    const fileName = fileNameOf(id);
    const there = await fileIfAny(directory, fileName);
    if (there === undefined) continue;
    sounds.set(id, await linkedWavOf({ fileName, header }, there, there.lastModified));
  }
  return formatLiveSet({ folderName: directory.name, layout, sounds });
}

async function makeFolders(directory: FileSystemDirectoryHandle, path: string): Promise<void> {
  let inside = directory;
  for (const name of path.split("/")) {
    inside = await inside.getDirectoryHandle(name, { create: true });
  }
}

/** Checks whether a listed name is a plain file name, which a manipulated marker may not have. */
function isOwnName(name: string): boolean {
  return !/[\\/]/.test(name);
}
