import { mkdirSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { formatReason } from "../../program/make-folder.ts";
import type { LiveEnvironment } from "../hosts/live/sdk/live-api.ts";
import { withoutWindowsPrefix } from "../hosts/live-path.ts";

/**
 * Returns the folder for all files (rule H9): Live's storage folder, created if needed, or else the
 * temporary one. Tests each by writing.
 * @throws {Error} with a sentence when neither is writable
 */
export function findGrantedFolder({ storageDirectory, tempDirectory }: LiveEnvironment): string {
  const problems: string[] = [];
  for (const named of [storageDirectory, tempDirectory]) {
    if (named === undefined || named === "") continue;
    const path = withoutWindowsPrefix(named);
    try {
      mkdirSync(path, { recursive: true });
      tryWriting(path);
      return withoutLinks(path);
    } catch (error) {
      problems.push(`${path}: ${formatReason(error)}`);
    }
  }
  const reason = problems.length === 0 ? "Live named none" : problems.join(", ");
  throw new Error(`Soundferry can't write to the folders that Live gives it: ${reason}.`);
}

/**
 * Resolves links, which Live doesn't follow; macOS has them at `/tmp` and `/var`. Keeps the given path
 * where only that one is writable.
 */
function withoutLinks(path: string): string {
  try {
    const real = realpathSync.native(path);
    tryWriting(real);
    return real;
  } catch {
    return path;
  }
}

/** Creates a file in the folder, and removes it. @throws {Error} of the file system */
function tryWriting(folder: string): void {
  const probe = join(folder, ".soundferry-can-write");
  writeFileSync(probe, "");
  rmSync(probe);
}
