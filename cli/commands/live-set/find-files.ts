import { type FileHandle, open, stat } from "node:fs/promises";
import { basename, dirname, join, parse, resolve } from "node:path";
import { readerOf, readWavHeader } from "../../../addon/disk/read-at.ts";
import {
  type FileRequest,
  fileRequests,
  type FoundFile,
  type SetFiles,
} from "../../../core/live-set/check/judge-files.ts";
import { CRC_BYTES, crc16 } from "../../../core/live-set/crc16.ts";
import { PROJECT_INFO } from "../../../core/live-set/live-set-names.ts";
import type { XmlNode } from "../../../core/live-set/xml-tree.ts";
import { Refusal } from "../../../core/protocol/refusal.ts";
import { formatUnreadable } from "../../../core/text/format-unreadable.ts";

/** Folders above a Set in which its project is searched. */
const MOST_LEVELS = 8;
/** Files that are looked at; a hostile Set names more. */
const MOST_FILES = 10_000;

/** Looks at every file to which a Set's clips refer, next to the Set, in its project, or at its path (rule LS33). */
export async function findSetFiles(root: XmlNode, setPath: string): Promise<SetFiles> {
  const setFolder = dirname(resolve(setPath));
  const project = await findProject(setFolder);
  const known = new Map<string, FoundFile | null>();
  for (const request of fileRequests(root).slice(0, MOST_FILES)) {
    const folder = request.from === "set" ? setFolder : (project ?? setFolder);
    known.set(keyOf(request), await findFile(request, folder));
  }
  return { hasProject: project !== null, find: (request) => known.get(keyOf(request)) };
}

function keyOf(request: FileRequest): string {
  return JSON.stringify(request);
}

async function findProject(setFolder: string): Promise<string | null> {
  let folder = setFolder;
  for (let level = 0; level < MOST_LEVELS; level += 1) {
    const found = await stat(join(folder, PROJECT_INFO)).catch(() => null);
    if (found?.isDirectory() === true) return folder;
    folder = dirname(folder);
  }
  return null;
}

async function findFile(request: FileRequest, folder: string): Promise<FoundFile | null> {
  const { from, relativePath, path } = request;
  const there =
    from === null || relativePath === ""
      ? null
      : await lookAt(resolve(folder, relativePath), "relative path", folder);
  return there ?? (path === "" ? null : lookAt(path, "absolute path", folder));
}

/** Checks whether a path leads to another computer than the folder; Windows would tell it who asks. */
function isOnOtherComputer(path: string, folder: string): boolean {
  const isOnShare = /^[\\/]{2}/;
  if (!isOnShare.test(path)) return false;
  return !isOnShare.test(folder) || parse(resolve(path)).root !== parse(folder).root;
}

/** Looks at a regular file. */
async function lookAt(
  path: string,
  at: FoundFile["at"],
  folder: string,
): Promise<FoundFile | null> {
  if (isOnOtherComputer(path, folder)) return null;
  const stats = await stat(path).catch(() => null);
  if (stats?.isFile() !== true) return null;
  const found = { at, bytes: stats.size, modifiedSeconds: Math.floor(stats.mtimeMs / 1000) };
  try {
    await using file = await open(path);
    const crc = crc16(await readerOf(file, path)(0, Math.min(CRC_BYTES, stats.size)));
    return { ...found, crc, sound: /\.wav$/i.test(path) ? await readSound(file, path) : null };
  } catch (error) {
    return { ...found, crc: null, sound: formatUnreadable(error, basename(path)) };
  }
}

/** Reads a WAV's header; Live reads some kinds of WAV that this project doesn't, and these aren't judged. */
async function readSound(file: FileHandle, path: string): Promise<FoundFile["sound"]> {
  try {
    return await readWavHeader(file, path);
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    return /_(?:UNSUPPORTED|RF64|RIFX|COMPRESSED)$/.test(error.code) ? null : error.message;
  }
}
