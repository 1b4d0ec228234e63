import type { Eventual } from "../../core/eventual.ts";
import { createHash } from "node:crypto";
import type { ReadStream, Stats } from "node:fs";
import { constants, type FileHandle, realpath, stat } from "node:fs/promises";
import { join, basename, dirname, sep } from "node:path";
import { MAX_PACKAGE_BYTES, MAX_JSON_BYTES } from "../../core/limits.ts";
import type { Sound } from "../../core/manifest/manifest.ts";
import { parseLocalManifest } from "../../core/manifest/parse-manifest.ts";
import { formatInCloud, formatUnreadable } from "../../core/text/format-unreadable.ts";
import { formatEncoding } from "../../core/text/find-wrapping.ts";
import { formatJsonError, parseJson, withoutMark } from "../../core/text/parse-json.ts";
import { PACKAGE_SIZE, JSON_SIZE } from "../../core/text/format-limit.ts";
import { isMissing, lstatIfAny } from "../disk/atomic-file.ts";
import { type DiskCalls, POOLED_CALLS, type ReadableFile } from "../disk/disk-calls.ts";
import { readWhole } from "../disk/read-at.ts";
import { MANIFEST_FILE } from "../../core/manifest/manifest.ts";
import { LocalPackageError } from "./local-package-error.ts";
import type { PackageSource } from "./package-source.ts";

/** The read size of a sound's stream. */
const highWaterMark = 1024 ** 2;
/** A package in a local folder: `manifest.json` and the WAVs next to it. */
export interface LocalPackage extends PackageSource {
  /** Absolute path without symbolic links. */
  readonly folder: string;
  /** Returns the real path of a sound's file. @throws {LocalPackageError} when it is missing or outside the folder */
  pathOf(sound: Sound): Promise<string>;
  /**
   * Opens a sound's file.
   * @throws {LocalPackageError} when the sound's file is missing, not a regular file, or outside the folder
   */
  openFile(sound: Sound): Promise<OpenFile<FileHandle>>;
}

/** The options of reading a package. */
export interface ReadOptions {
  /** The id of a package that an importer saved there (rule F10). */
  readonly savedId?: string;
  readonly disk?: DiskCalls;
  /**
   * Looks at a sound's file, and returns its size; by default, at its properties.
   * @param folder the package's, without symbolic links
   * @throws {LocalPackageError} when the file can't be used
   */
  readonly look?: (folder: string, sound: Sound) => Promise<number>;
  /** Gets what `manifest.json` has, also where the package then can't be used. */
  readonly onManifest?: ((bytes: Buffer, fingerprint: string) => void) | undefined;
}

/**
 * Reads a folder's manifest and checks that the sounds exist. The package id is derived from the
 * folder's real path, so it doesn't change with the content.
 * @throws {LocalPackageError} without a readable `manifest.json`
 * @throws {Refusal} when the whole manifest is unusable
 */
export async function readLocalPackage(
  path: string,
  options: ReadOptions = {},
): Promise<LocalPackage> {
  const { savedId, disk = POOLED_CALLS, look = sizeInside } = options;
  const folder = await realFolder(path, disk);
  const ownId = `local_${createHash("sha256").update(folder).digest("hex").slice(0, 32)}`;
  const packageId = savedId ?? ownId;
  const parsed = parseLocalManifest(await readManifest(folder, disk, options), {
    packageId,
    isOnDisk: true,
  });
  const pathOf = async ({ file }: Sound) => (await findInside(folder, file)).path;
  const openFile = ({ file }: Sound) => openInside(folder, file, POOLED_CALLS);
  const problems = new Map(parsed.problems);
  let totalBytes = 0;
  for (const sound of parsed.manifest.items) {
    if (problems.has(sound.id)) continue;
    try {
      totalBytes += await look(folder, sound);
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
      const stream = file.createReadStream({ ...range, highWaterMark, signal });
      // The reader gets the error; without a listener, an error before reading starts would crash.
      stream.on("error", () => undefined);
      return { startByte, fileBytes, body: readInWords(stream, sound.file) };
    },
  };
}

async function* readInWords(stream: ReadStream, name: string): AsyncGenerator<Buffer> {
  try {
    yield* stream;
  } catch (cause) {
    throw new LocalPackageError(formatUnreadable(cause, name), { cause });
  }
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

async function realFolder(path: string, disk: DiskCalls): Promise<string> {
  try {
    return await disk.realpath(path);
  } catch (error) {
    if (isMissing(error)) {
      throw new LocalPackageError(`There is no folder ${path}.`, {
        cause: error,
        code: "NO_PACKAGE",
      });
    }
    throw new LocalPackageError(`The folder ${path} can't be read.`, { cause: error });
  }
}

async function readManifest(
  folder: string,
  disk: DiskCalls,
  { onManifest }: ReadOptions,
): Promise<unknown> {
  const opened = await openInside(folder, MANIFEST_FILE, disk);
  const bytes = await readSmallFile(opened, MANIFEST_FILE);
  onManifest?.(bytes, opened.fingerprint);
  const text = decodeText(bytes, MANIFEST_FILE);
  const value = parseJson(text);
  if (value !== undefined) return value;
  throw new LocalPackageError(`${MANIFEST_FILE} ${formatJsonError(text)}`);
}

function tooLarge(file: string): LocalPackageError {
  return new LocalPackageError(`${file}: this sound takes the package over ${PACKAGE_SIZE}.`);
}

/** A file open for reading; the caller closes it. */
export interface OpenFile<File extends ReadableFile = ReadableFile> {
  readonly file: File;
  /** Size when it was opened. */
  readonly sizeBytes: number;
  /** The `fingerprintOf` the file. */
  readonly fingerprint: string;
}

interface FoundFile {
  /** The real path. */
  readonly path: string;
  readonly sizeBytes: number;
}

/**
 * Finds a file in a folder; prevents path traversal, also through links.
 * @param folder without symbolic links
 * @throws {LocalPackageError} when it is missing or outside the folder
 */
export async function findInside(
  folder: string,
  name: string,
  disk: DiskCalls = POOLED_CALLS,
): Promise<FoundFile> {
  const path = join(folder, name);
  const found = await toDiskError(path, name, () => disk.lstat(path));
  // The usual case: a regular file directly in the folder can't lead outside.
  if (isPlainName(name) && found.isFile()) return { path, sizeBytes: found.size };
  const real = await toDiskError(path, name, () => realpath(path));
  if (!isPlainName(name) || !real.startsWith(folder + sep)) {
    throw new LocalPackageError(`${name} is outside the package's folder.`);
  }
  return { path: real, sizeBytes: (await toDiskError(real, name, () => stat(real))).size };
}

async function sizeInside(folder: string, { file }: Sound): Promise<number> {
  return (await findInside(folder, file)).sizeBytes;
}

function isPlainName(name: string): boolean {
  return basename(name) === name;
}

/**
 * Opens a file that `findInside` accepts; a plain file takes one system call where `O_NOFOLLOW` exists.
 * @throws {LocalPackageError} when it is missing, not a regular file, or outside the folder
 */
export async function openInside<File extends ReadableFile>(
  folder: string,
  name: string,
  disk: DiskCalls<File>,
): Promise<OpenFile<File>> {
  if (constants.O_NOFOLLOW !== undefined && isPlainName(name)) {
    const opened = await openPlainFile(join(folder, name), name, disk).catch(() => undefined);
    if (opened !== undefined) return opened;
  }
  return openPlainFile((await findInside(folder, name, disk)).path, name, disk);
}

/**
 * Opens a regular file. Doesn't block on a pipe and, where the system can, doesn't follow links.
 * @param name the file's name in errors
 * @throws {LocalPackageError} when it can't be opened or isn't a regular file
 */
export async function openPlainFile<File extends ReadableFile>(
  path: string,
  name: string,
  disk: DiskCalls<File>,
): Promise<OpenFile<File>> {
  const flags = constants.O_RDONLY | (constants.O_NONBLOCK ?? 0) | (constants.O_NOFOLLOW ?? 0);
  const file = await toDiskError(path, name, () => disk.open(path, flags));
  const found = await file.stat();
  if (found.isFile()) return { file, sizeBytes: found.size, fingerprint: fingerprintOf(found) };
  await file.close();
  throw new LocalPackageError(`${name} is not a file.`);
}

/** Text that changes when a file is written to or replaced. A copying program can set mtime, but not ctime. */
export function fingerprintOf({ size, mtimeMs, ctimeMs, ino }: Stats): string {
  return `${size} ${mtimeMs} ${ctimeMs} ${ino}`;
}

async function toDiskError<Answer>(
  path: string,
  name: string,
  call: () => Eventual<Answer>,
): Promise<Answer> {
  try {
    return await call();
  } catch (cause) {
    if (!isMissing(cause)) throw new LocalPackageError(formatUnreadable(cause, name), { cause });
    if (await isInCloud(path)) {
      throw new LocalPackageError(formatInCloud(name), { cause, code: "IN_ICLOUD" });
    }
    const sentence = `${name} is not in the package's folder.`;
    throw new LocalPackageError(sentence, { cause, code: "FILE_ABSENT" });
  }
}

/** Checks whether macOS keeps a placeholder for a file that is only in iCloud: `.kick.wav.icloud`. */
export async function isInCloud(path: string): Promise<boolean> {
  const placeholder = join(dirname(path), placeholderOf(basename(path)));
  return (await lstatIfAny(placeholder).catch(() => undefined)) !== undefined;
}

/** Returns the name of the placeholder that macOS keeps for a file that is only in iCloud. */
export function placeholderOf(name: string): string {
  return `.${name}.icloud`;
}

/**
 * Reads a text file of at most `MAX_JSON_BYTES`, strips its byte order mark and closes it.
 * @throws {LocalPackageError} when it is larger, can't be read or is no plain text
 */
export async function readText(opened: OpenFile, name: string): Promise<string> {
  return decodeText(await readSmallFile(opened, name), name);
}

function decodeText(bytes: Buffer, name: string): string {
  const encoded = formatEncoding(bytes);
  if (encoded !== undefined) throw new LocalPackageError(`${name} ${encoded}`);
  return withoutMark(bytes.toString("utf8"));
}

/**
 * Reads a file of at most `MAX_JSON_BYTES` and closes it.
 * @throws {LocalPackageError} when it is larger or can't be read
 */
export async function readSmallFile(opened: OpenFile, name: string): Promise<Buffer> {
  const { file, sizeBytes } = opened;
  try {
    if (sizeBytes > MAX_JSON_BYTES) {
      throw new LocalPackageError(`${name} is too large. The limit is ${JSON_SIZE}.`);
    }
    return await readWhole(file, sizeBytes);
  } catch (cause) {
    if (cause instanceof LocalPackageError) throw cause;
    throw new LocalPackageError(formatUnreadable(cause, name), { cause });
  } finally {
    await file.close();
  }
}
