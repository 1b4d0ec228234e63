import { createHash } from "node:crypto";
import { constants, type FileHandle, lstat, open, realpath, stat } from "node:fs/promises";
import { basename, join, sep } from "node:path";
import { MAX_JSON_BYTES, MAX_PACKAGE_BYTES } from "../../core/limits.ts";
import type { Sound } from "../../core/manifest/manifest.ts";
import { parseLocalManifest } from "../../core/manifest/parse-manifest.ts";
import { isMissing } from "../atomic-file.ts";
import type { PackageSource } from "./package-source.ts";
import { parseJson } from "./parse-json.ts";

/** Bytes of a sound that are read at once. */
const highWaterMark = 1_048_576;
/** The file that makes a folder a package (rule R5). */
export const MANIFEST_FILE = "manifest.json";

/** A package in a folder of this computer: `manifest.json` and the WAVs beside it. */
export interface LocalPackage extends PackageSource {
  /** Absolute, without symbolic links. */
  readonly folder: string;
  /**
   * The real path of a sound's file.
   * @throws {LocalPackageError} when it is not there, or lies outside the folder
   */
  pathOf(sound: Sound): Promise<string>;
  /**
   * Opens a sound's file as it lies there, for whoever reads a part of it.
   * @throws {LocalPackageError} when it is not there, is no file, or lies outside the folder
   */
  openFile(sound: Sound): Promise<OpenFile>;
}

/** A file that is open for reading; whoever has it closes it. */
export interface OpenFile {
  readonly file: FileHandle;
  /** When it was opened. */
  readonly sizeBytes: number;
}

/** A folder that is no package, or a file of it that can't be used; the message is a sentence. */
export class LocalPackageError extends Error {
  override readonly name = "LocalPackageError";
  /** Trying again changes nothing. */
  readonly status = 404;
}

/**
 * Reads a folder's manifest; the sounds are not opened yet, but looked for. The package's id is made
 * from the folder's real path, so that it stays the same whatever changes inside.
 * @throws {LocalPackageError} without a readable `manifest.json`
 * @throws {Refusal} when the manifest as a whole can't be used
 */
export async function readLocalPackage(path: string): Promise<LocalPackage> {
  const folder = await realFolder(path);
  const packageId = `local_${createHash("sha256").update(folder).digest("hex").slice(0, 32)}`;
  const parsed = parseLocalManifest(await readManifest(folder), { packageId });
  const pathOf = async ({ file }: Sound) => (await findInside(folder, file)).path;
  const openFile = async (sound: Sound) => openPlainFile(await pathOf(sound), sound.file);
  const problems = new Map(parsed.problems);
  let totalBytes = 0;
  for (const sound of parsed.manifest.items) {
    if (problems.has(sound.id)) continue;
    try {
      const { sizeBytes } = await findInside(folder, sound.file);
      totalBytes += sizeBytes;
      if (totalBytes > MAX_PACKAGE_BYTES) throw tooLarge(sound.file);
    } catch (error) {
      if (!(error instanceof LocalPackageError)) throw error;
      problems.set(sound.id, error.message);
    }
  }
  return {
    packageId,
    manifest: parsed.manifest,
    warnings: parsed.warnings,
    problems,
    relay: undefined,
    folder,
    pathOf,
    openFile,
    open: async (sound, { startByte, signal }) => {
      const { file, sizeBytes: fileBytes } = await openFile(sound);
      // One byte more than there is: a file that still grows is found out.
      const body = file.createReadStream({
        start: startByte,
        end: fileBytes,
        highWaterMark,
        signal,
      });
      // Whoever reads the body hears of it there; nobody may be reading it yet.
      body.on("error", () => undefined);
      return { startByte, fileBytes, body };
    },
  };
}

/** Whether a folder has a manifest, and so means to be a package. */
export async function isPackageFolder(path: string): Promise<boolean> {
  try {
    return (await stat(join(path, MANIFEST_FILE))).isFile();
  } catch (error) {
    if (isMissing(error)) return false;
    throw error;
  }
}

async function realFolder(path: string): Promise<string> {
  try {
    return await realpath(path);
  } catch (error) {
    throw new LocalPackageError(`There is no folder ${path}.`, { cause: error });
  }
}

async function readManifest(folder: string): Promise<unknown> {
  const { path } = await findInside(folder, MANIFEST_FILE);
  const { file, sizeBytes } = await openPlainFile(path, MANIFEST_FILE);
  try {
    if (sizeBytes > MAX_JSON_BYTES) {
      throw new LocalPackageError(`${MANIFEST_FILE} is too large; 1 MiB is the most.`);
    }
    const value = parseJson((await file.readFile("utf8")).replace(/^\uFEFF/, ""));
    if (value === undefined) throw new LocalPackageError(`${MANIFEST_FILE} is not valid JSON.`);
    return value;
  } finally {
    await file.close();
  }
}

interface FoundFile {
  /** Its real path. */
  readonly path: string;
  readonly sizeBytes: number;
}

/**
 * Finds a file of the folder; a link that leads out of the folder is refused.
 * @param folder without symbolic links
 */
async function findInside(folder: string, name: string): Promise<FoundFile> {
  const path = join(folder, name);
  const isPlainName = basename(name) === name;
  const itself = await asked(name, () => lstat(path));
  // What is a file itself, and no link, lies where its name says; mostly nothing more need be asked.
  if (isPlainName && itself.isFile()) return { path, sizeBytes: itself.size };
  const real = await asked(name, () => realpath(path));
  if (!isPlainName || !real.startsWith(folder + sep)) {
    throw new LocalPackageError(`${name} lies outside the package's folder.`);
  }
  return { path: real, sizeBytes: (await asked(name, () => stat(real))).size };
}

/** Opens what was found to be a file, without waiting where it is a pipe by now. */
async function openPlainFile(path: string, name: string): Promise<OpenFile> {
  const flags = constants.O_RDONLY | (constants.O_NONBLOCK ?? 0) | (constants.O_NOFOLLOW ?? 0);
  const file = await asked(name, () => open(path, flags));
  const found = await file.stat();
  if (found.isFile()) return { file, sizeBytes: found.size };
  await file.close();
  throw new LocalPackageError(`${name} is not a file.`);
}

async function asked<Answer>(name: string, ask: () => Promise<Answer>): Promise<Answer> {
  try {
    return await ask();
  } catch (error) {
    const sentence = isMissing(error)
      ? `${name} is not in the package's folder.`
      : `${name} can't be read.`;
    throw new LocalPackageError(sentence, { cause: error });
  }
}

function tooLarge(file: string): LocalPackageError {
  return new LocalPackageError(`${file}: the package grows past 200 MB here.`);
}
