import type { Stats } from "node:fs";
import { join } from "node:path";
import { isMissing } from "../../addon/disk/atomic-file.ts";
import { QUICK_DISK } from "../../addon/disk/disk-calls.ts";
import { fingerprintOf } from "../../addon/packages/local-package.ts";
import { GOLDEN_PLACES } from "../layout/golden.ts";

/** More than a tick of any file system's clock: FAT's takes two seconds. */
const TICK_MS = 3000;

/** Fingerprints of files at some time, by name in the package's folder; undefined for what isn't there. */
export interface FileMarks {
  /** Before anything was read, by the system's clock in milliseconds. */
  readonly at: number;
  readonly files: ReadonlyMap<string, string | undefined>;
}

/** Looks at a package's golden without reading it; undefined if that isn't possible. */
export async function markGolden(folder: string): Promise<FileMarks | undefined> {
  const at = Date.now();
  const files = new Map<string, string | undefined>();
  try {
    for (const name of GOLDEN_PLACES) {
      const found = await lookAt(folder, name);
      files.set(name, found && fingerprintOf(found));
      // Without its folder it has no files.
      if (found === undefined) break;
    }
    return { at, files };
  } catch (error) {
    if (error instanceof Error && "syscall" in error) return undefined;
    throw error;
  }
}

/**
 * Checks whether a package's files are those that were marked, and plain files or folders. One that had changed just
 * before isn't trusted, because it may have changed once more within a tick of the file system's clock.
 */
export async function areSame(folder: string, { at, files }: FileMarks): Promise<boolean> {
  try {
    for (const [name, fingerprint] of files) {
      const found = await lookAt(folder, name);
      if ((found && fingerprintOf(found)) !== fingerprint) return false;
      if (found?.isSymbolicLink() === true) return false;
      if (found !== undefined && found.ctimeMs >= at - TICK_MS) return false;
    }
    return true;
  } catch (error) {
    if (error instanceof Error && "syscall" in error) return false;
    throw error;
  }
}

async function lookAt(folder: string, name: string): Promise<Stats | undefined> {
  try {
    return await QUICK_DISK.lstat(join(folder, name));
  } catch (error) {
    if (isMissing(error)) return undefined;
    throw error;
  }
}
