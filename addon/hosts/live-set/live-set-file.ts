import { stat } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { promisify } from "node:util";
import { gzip } from "node:zlib";
import { asLiveCompresses } from "../../../core/live-set/gzip-header.ts";
import { liveSetNames, PROJECT_INFO } from "../../../core/live-set/live-set-names.ts";
import { lstatIfAny, makeDurableFolder, writeFileAtomically } from "../../disk/atomic-file.ts";

/** Something that isn't a folder, or isn't a file, has a name of the project; the message is a sentence. */
export class ProjectInWayError extends Error {
  override readonly name = "ProjectInWayError";
}

/** Returns the path of the Set in a folder: `<title> Project/<title>.als`. */
export function liveSetPath(folder: string, title = basename(folder)): string {
  const { project, set } = liveSetNames(title);
  return join(folder, project, set);
}

/**
 * Makes a project's folder with what Live recognizes it by, and the folders in it that are asked for.
 * @param path of the Set in it
 * @param inside folders in the project, such as `Samples/Imported`
 * @throws {ProjectInWayError} if a file or a link has the name of one of them
 * @throws {FolderNotMadeError}
 */
export async function makeProject(path: string, ...inside: readonly string[]): Promise<void> {
  const project = dirname(path);
  // No link leads out of the folder.
  for (const name of ["", PROJECT_INFO, ...inside]) {
    const folder = join(project, name);
    const there = await lstatIfAny(folder);
    if (there?.isDirectory() === false) {
      throw new ProjectInWayError(`Something else is called ${basename(folder)}.`);
    }
    await makeDurableFolder(folder);
  }
}

/**
 * Writes a Set, compressed as Live does it, in place of an older one (rule LS9).
 * @throws {ProjectInWayError} if a folder has its name
 */
export async function writeSet(path: string, text: string): Promise<void> {
  const there = await stat(path).catch(() => undefined);
  if (there?.isDirectory() === true) {
    throw new ProjectInWayError(`${basename(path)} can't be replaced: it is a folder.`);
  }
  await writeFileAtomically(path, asLiveCompresses(await promisify(gzip)(text)), 0o644);
}
