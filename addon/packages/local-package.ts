import { createHash } from "node:crypto";
import { realpath, stat } from "node:fs/promises";
import { join } from "node:path";
import { MAX_PACKAGE_BYTES } from "../../core/limits.ts";
import { PACKAGE_SIZE } from "../../core/text/format-limit.ts";
import type { Sound } from "../../core/manifest/manifest.ts";
import { parseLocalManifest } from "../../core/manifest/parse-manifest.ts";
import { isMissing } from "../disk/atomic-file.ts";
import { LocalPackageError } from "./local-package-error.ts";
import { findInside, openInside, type OpenFile, readText } from "./package-files.ts";
import type { PackageSource } from "./package-source.ts";
import { formatJsonError, parseJson } from "../../core/text/parse-json.ts";

/** The read size of a sound's stream. */
const highWaterMark = 1024 ** 2;
/** The file that makes a folder a package (rule R5). */
export const MANIFEST_FILE = "manifest.json";

/** A package in a local folder: `manifest.json` and the WAVs next to it. */
export interface LocalPackage extends PackageSource {
  /** Absolute, without symbolic links. */
  readonly folder: string;
  /**
   * Returns the real path of a sound's file.
   * @throws {LocalPackageError} when it is missing or outside the folder
   */
  pathOf(sound: Sound): Promise<string>;
  /** @throws {LocalPackageError} when the sound's file is missing, not a regular file, or outside the folder */
  openFile(sound: Sound): Promise<OpenFile>;
}

/**
 * Reads a folder's manifest and checks that the sounds exist. The package id is derived from the
 * folder's real path, so it doesn't change with the content.
 * @throws {LocalPackageError} without a readable `manifest.json`
 * @throws {Refusal} when the whole manifest is unusable
 */
export async function readLocalPackage(path: string): Promise<LocalPackage> {
  const folder = await realFolder(path);
  const packageId = `local_${createHash("sha256").update(folder).digest("hex").slice(0, 32)}`;
  const parsed = parseLocalManifest(await readManifest(folder), { packageId });
  const pathOf = async ({ file }: Sound) => (await findInside(folder, file)).path;
  const openFile = ({ file }: Sound) => openInside(folder, file);
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
      // `end` is inclusive: one byte past the file detects a file that still grows.
      const range = { start: startByte, end: fileBytes };
      const body = file.createReadStream({ ...range, highWaterMark, signal });
      // The reader gets the error; without a listener, an error before reading starts would crash.
      body.on("error", () => undefined);
      return { startByte, fileBytes, body };
    },
  };
}

/** Returns whether a folder has a manifest. */
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
    const sentence = isMissing(error)
      ? `There is no folder ${path}.`
      : `The folder ${path} can't be read.`;
    throw new LocalPackageError(sentence, { cause: error });
  }
}

async function readManifest(folder: string): Promise<unknown> {
  const text = await readText(await openInside(folder, MANIFEST_FILE), MANIFEST_FILE);
  const value = parseJson(text);
  if (value === undefined) throw new LocalPackageError(`${MANIFEST_FILE} ${formatJsonError(text)}`);
  return value;
}

function tooLarge(file: string): LocalPackageError {
  return new LocalPackageError(`${file}: this sound takes the package over ${PACKAGE_SIZE}.`);
}
