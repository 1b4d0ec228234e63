import { mkdirSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { LiveEnvironment } from "../hosts/live/live-api.ts";
import { withoutWindowsPrefix } from "../hosts/live/live-path.ts";

/**
 * The folder that everything is kept in (rule H9): Live's storage folder, made where it is not there
 * yet; where that can't be written to, the temporary one. Whether it can is tried by writing.
 * @throws {Error} with a sentence when neither can be used
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
      problems.push(`${path} (${codeOf(error)})`);
    }
  }
  const reason = problems.length === 0 ? "Live named none" : problems.join(", ");
  throw new Error(`Soundferry can't write to the folders that Live gives it: ${reason}.`);
}

/**
 * Live does not follow links, as macOS has them at `/tmp` and `/var`. Where only the path as it was told
 * may be written to, that one stays.
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

/** @throws {Error} of the file system */
function tryWriting(folder: string): void {
  const probe = join(folder, ".soundferry-can-write");
  writeFileSync(probe, "");
  rmSync(probe);
}

/** Such as `EACCES`: next to the path it says enough. */
function codeOf(error: unknown): string {
  return error instanceof Error && "code" in error ? String(error.code) : String(error);
}
