import { open, rmdir, unlink } from "node:fs/promises";
import { dirname, join } from "node:path";
import { flushFolder } from "../../../program/flush-folder.ts";
import { timed } from "../bench-result.ts";
import { answerCalls } from "./answer-calls.ts";
import { makeSoundFiles } from "./sound-folders.ts";

/** Number of calls that the relay makes at once. */
const AT_ONCE = 8;
/** Number of files with one flush of the folder that their folders were in. */
const BATCH = 1000;

/** Removes the same files and folders, with no record and no check. */
export const bareUnlinkCalls = {
  /** Unlinks the files, and leaves their folders. */
  unlink: ({ folder, count }: Removal) =>
    rate(folder, count, (paths) => inTurns(paths, (path) => unlink(path))),
  /** Unlinks the files and removes their folders, with one flush a thousand. */
  remove: ({ folder, count }: Removal) =>
    rate(folder, count, async (paths) => {
      for (let start = 0; start < paths.length; start += BATCH) {
        await inTurns(paths.slice(start, start + BATCH), async (path) => {
          await unlink(path);
          await rmdir(dirname(path));
        });
        await flushFolder(folder, (path) => open(path));
      }
    }),
};
export type BareUnlinkCalls = typeof bareUnlinkCalls;

interface Removal {
  readonly folder: string;
  readonly count: number;
}

async function inTurns(
  paths: readonly string[],
  act: (path: string) => Promise<void>,
): Promise<void> {
  const rest = paths.values();
  const actOnRest = async () => {
    for (const path of rest) await act(path);
  };
  await Promise.all(Array.from({ length: AT_ONCE }, actOnRest));
}

async function rate(
  folder: string,
  count: number,
  remove: (paths: readonly string[]) => Promise<void>,
): Promise<number> {
  const paths = makeSoundFiles(folder, "pkg", count).map((key) => join(folder, key));
  return (count * 1000) / (await timed(() => remove(paths)));
}

answerCalls(bareUnlinkCalls);
