import { Buffer } from "node:buffer";
import { createHash, randomBytes } from "node:crypto";
import { access, constants, open, rename, rm, stat } from "node:fs/promises";
import { dirname, join } from "node:path";
import { flushFolder } from "../../../program/flush-folder.ts";
import { QUICK_DISK } from "../../../addon/disk/disk-calls.ts";
import { flushData } from "../../../addon/disk/atomic-file.ts";
import { LocalPackageError } from "../../../addon/packages/local-package-error.ts";
import { MANIFEST_FILE } from "../../../core/manifest/manifest.ts";
import { findInside, openInside, readSmallFile } from "../../../addon/packages/local-package.ts";
import { MAX_JSON_BYTES } from "../../../core/limits.ts";
import { JSON_SIZE } from "../../../core/text/format-limit.ts";

/** A manifest as it is on disk. */
export interface ManifestFile {
  /** The package's folder, without symbolic links. */
  readonly folder: string;
  /** The text without a byte order mark. */
  readonly text: string;
  /** The mark, or nothing. */
  readonly mark: string;
  /** True if the text has every byte of the file. */
  readonly isUtf8: boolean;
  /** A digest of the bytes. */
  readonly revision: string;
  /** Changes when the file is written to or replaced. */
  readonly fingerprint: string;
}

const MARK = "\uFEFF";

/**
 * Reads a package's manifest.
 * @param folder without symbolic links
 * @throws {LocalPackageError} if it is missing, outside the folder or too large
 */
export async function readManifestFile(folder: string): Promise<ManifestFile> {
  const opened = await openInside(folder, MANIFEST_FILE, QUICK_DISK);
  const bytes = await readSmallFile(opened, MANIFEST_FILE);
  return manifestFileOf(folder, bytes, opened.fingerprint);
}

/** Describes a manifest that was read. @param fingerprint the file's, from before it was read */
export function manifestFileOf(folder: string, bytes: Buffer, fingerprint: string): ManifestFile {
  const whole = bytes.toString("utf8");
  const mark = whole.startsWith(MARK) ? MARK : "";
  return {
    folder,
    text: whole.slice(mark.length),
    mark,
    isUtf8: Buffer.from(whole).equals(bytes),
    revision: shortDigestOf(bytes),
    fingerprint,
  };
}

/**
 * Replaces a manifest's text atomically (write, flush, rename) and keeps its mark and permissions. Writes only inside
 * the package's folder (rule V16).
 * @param before as read; if the file has changed since, nothing is written
 * @returns whether it was written
 * @throws {LocalPackageError} if it can't be written
 */
export async function replaceManifestFile(before: ManifestFile, text: string): Promise<boolean> {
  const { folder, mark } = before;
  const bytes = Buffer.from(mark + text);
  if (bytes.length > MAX_JSON_BYTES) throw tooLarge();
  const { path } = await findInside(folder, MANIFEST_FILE);
  // Watches ignore names that start with a dot.
  const unfinished = join(dirname(path), `.${MANIFEST_FILE}.${randomBytes(6).toString("hex")}`);
  try {
    await access(path, constants.W_OK);
    const { mode } = await stat(path);
    // `wx` creates the file, so it is no link.
    const file = await open(unfinished, "wx", mode);
    try {
      await file.chmod(mode);
      await file.writeFile(bytes);
      await flushData(file);
    } finally {
      await file.close();
    }
    const isSame = (await readManifestFile(folder)).revision === before.revision;
    if (isSame) await rename(unfinished, path);
    else await rm(unfinished, { force: true });
    await flushFolder(dirname(path));
    return isSame;
  } catch (cause) {
    await rm(unfinished, { force: true }).catch(() => undefined);
    if (cause instanceof LocalPackageError) throw cause;
    throw new LocalPackageError(`${MANIFEST_FILE} can't be written.`, { cause });
  }
}

function tooLarge(): LocalPackageError {
  return new LocalPackageError(`${MANIFEST_FILE} is too large. The limit is ${JSON_SIZE}.`);
}

/** A digest of 22 URL-safe characters. */
export function shortDigestOf(content: string | Uint8Array): string {
  return createHash("sha256").update(content).digest("base64url").slice(0, 22);
}
