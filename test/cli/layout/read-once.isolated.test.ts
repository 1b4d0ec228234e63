import { countCalls } from "../../sim/counted-disk.ts";
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { CHECK } from "../../../cli/commands/layout/library-tasks.ts";
import { SHOW } from "../../../cli/commands/layout/show-task.ts";
import { findPackages } from "../../../cli/layout/find-packages.ts";
import { runLibrary } from "../../../cli/layout/run-library.ts";
import { temporaryFolder } from "../../addon/temporary-folder.ts";
import { smallWav } from "../../wav-bytes.ts";
import { writeLibrary } from "./package-folders.ts";

const [PACKAGES, SOUNDS] = [6, 3];
const FILES = PACKAGES * (SOUNDS + 1);

async function library(): Promise<string> {
  const root = await temporaryFolder();
  await writeLibrary(root, { packages: PACKAGES, sounds: SOUNDS });
  return root;
}

// Windows finds files before it opens them.
test.skipIf(process.platform === "win32")(
  "[B4] a layout lists each folder once, and opens and reads each file once",
  async () => {
    const root = await library();
    const lay = async () => runLibrary(await findPackages([root]), SHOW);
    expect(await countCalls(lay)).toEqual({
      // The root, its three sets, and the packages.
      readdir: 1 + 3 + PACKAGES,
      realpath: 1 + PACKAGES,
      open: FILES,
      fstat: FILES,
      read: FILES,
      close: FILES,
    });
  },
);

test.skipIf(process.platform === "win32")(
  "[B4] only a header longer than 4 KiB takes another read",
  async () => {
    const root = await library();
    const [folder = ""] = await findPackages([root]);
    const wav = await readFile(join(folder, "sound-1.wav"));
    const junk = Buffer.alloc(8 + 5000);
    junk.write("JUNK");
    junk.writeUInt32LE(5000, 4);
    await writeFile(
      join(root, "long.wav"),
      Buffer.concat([wav.subarray(0, 12), junk, wav.subarray(12)]),
    );
    await writeFile(
      join(root, "manifest.json"),
      JSON.stringify({ schema: "app2host/1", items: [{ file: "long.wav" }] }),
    );
    const counts = await countCalls(() => runLibrary([root], SHOW));
    expect(counts).toMatchObject({ open: 2, read: 3, close: 2 });
  },
);

test("[B4] --check reads every sound every time, whatever was read before", async () => {
  const root = await library();
  const folders = await findPackages([root]);
  const check = () => countCalls(() => runLibrary(folders, CHECK));
  const first = await check();
  // Each sound also for its audio, each manifest also for the places of problems.
  expect(first["open"]).toBe(FILES + PACKAGES * (SOUNDS + 1));
  expect(await check()).toEqual(first);
});

test("[B4] every call is counted", async () => {
  const path = join(await temporaryFolder(), "a.wav");
  const counts = await countCalls(async () => {
    await writeFile(path, smallWav());
    await readFile(path);
  });
  expect(counts).toMatchObject({ writeFile: 1, readFile: 1 });
});
