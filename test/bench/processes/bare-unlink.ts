import { open, rmdir, unlink } from "node:fs/promises";
import { dirname, join } from "node:path";
import { flushFolder } from "../../../program/flush-folder.ts";
import { timed } from "../bench-result.ts";
import { answerCalls } from "./answer-calls.ts";
import { type Filling, makeSoundFiles, prefixOf } from "./sound-folders.ts";

/** Number of calls that the relay makes at once. */
const AT_ONCE = 8;
/** Number of files with one flush of the folder that their folders were in. */
const BATCH = 1000;

let filled: (readonly string[])[] = [];

/** Removes the same files and folders, with no record and no check. */
export const bareUnlinkCalls = {
  fill: ({ dataFolder, count, rounds }: Filling) => {
    filled = Array.from({ length: rounds }, (_, round) =>
      makeSoundFiles(dataFolder, prefixOf(round), count).map((key) => join(dataFolder, key)),
    );
  },
  /** Unlinks the files of the next round and removes their folders, with one flush a thousand. Returns files per second. */
  remove: async (folder: string) => {
    const paths = filled.shift() ?? [];
    const ms = await timed(async () => {
      for (let start = 0; start < paths.length; start += BATCH) {
        await inTurns(paths.slice(start, start + BATCH), async (path) => {
          await unlink(path);
          await rmdir(dirname(path));
        });
        await flushFolder(folder, (path) => open(path));
      }
    });
    return (paths.length * 1000) / ms;
  },
};
export type BareUnlinkCalls = typeof bareUnlinkCalls;

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

answerCalls(bareUnlinkCalls);
