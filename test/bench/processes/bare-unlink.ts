import { rmdir, unlink } from "node:fs/promises";
import { dirname, join } from "node:path";
import { timed } from "../bench-result.ts";
import { answerCalls } from "./answer-calls.ts";
import { makeSoundFiles } from "./sound-folders.ts";

/** Number of calls that the relay makes at once. */
const AT_ONCE = 8;

/** Unlinks the same files, with no record, no flush and no check. */
export const bareUnlinkCalls = {
  unlink: ({ folder, count }: { readonly folder: string; readonly count: number }) =>
    rate(folder, count, (path) => unlink(path)),
  /** And removes their folders. */
  remove: ({ folder, count }: { readonly folder: string; readonly count: number }) =>
    rate(folder, count, async (path) => {
      await unlink(path);
      await rmdir(dirname(path));
    }),
};
export type BareUnlinkCalls = typeof bareUnlinkCalls;

async function rate(
  folder: string,
  count: number,
  act: (path: string) => Promise<void>,
): Promise<number> {
  const paths = makeSoundFiles(folder, "pkg", count)
    .map((key) => join(folder, key))
    .values();
  const actOnAll = async () => {
    for (const path of paths) await act(path);
  };
  const ms = await timed(() => Promise.all(Array.from({ length: AT_ONCE }, actOnAll)));
  return (count * 1000) / ms;
}

answerCalls(bareUnlinkCalls);
