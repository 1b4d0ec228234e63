import { countCalls } from "../../sim/counted-disk.ts";
import {
  mkdir,
  readdir,
  readFile,
  rename,
  rm,
  stat,
  symlink,
  utimes,
  writeFile,
} from "node:fs/promises";
import { join } from "node:path";
import { afterEach, expect, onTestFinished, test, vi } from "vitest";
import { CHECK, updateTask } from "../../../cli/commands/layout/library-tasks.ts";
import { runLibrary } from "../../../cli/layout/run-library.ts";
import { PreviewSession } from "../../../cli/preview/preview-session.ts";
import { temporaryFolder } from "../../addon/temporary-folder.ts";
import { until } from "../../sim/until.ts";
import { smallWav } from "../../wav-bytes.ts";
import { writePackage } from "../layout/package-folders.ts";
import { readScene } from "./preview-at-work.ts";

afterEach(() => void vi.useRealTimers());

/** Sets the times of a package's files to `LONG_AGO`. */
async function age(folder: string): Promise<void> {
  for (const name of await readdir(folder)) await utimes(join(folder, name), LONG_AGO, LONG_AGO);
}

/** Lets the system's clock be an hour later, so that no file has just changed. */
function letTimePass(): void {
  vi.useFakeTimers({ toFake: ["Date"], now: Date.now() + 3_600_000 });
}

/** A session that has read the packages A and B of two sounds, and listened to them. */
async function session({ isAccepted = false } = {}) {
  const root = await temporaryFolder();
  const folders = [join(root, "A"), join(root, "B")] as const;
  for (const folder of folders) await writePackage(folder);
  if (isAccepted) await runLibrary(folders, updateTask());
  for (const folder of folders) await age(folder);
  const preview = new PreviewSession({ roots: [root], startFolder: root, isWatching: false });
  onTestFinished(() => preview[Symbol.asyncDispose]());
  const scene = (index: number) => readScene(preview.state.scenes[index]);
  const heard = () =>
    until(() => preview.state.scenes.every((one) => "error" in one || one.findings !== null));
  const readAgain = async () => {
    const counts = await countCalls(() => preview.readAll());
    return counts["open"] ?? 0;
  };
  const wav = join(folders[0], "hit.wav");
  return { root, folders, preview, scene, heard, readAgain, wav };
}

type Session = Awaited<ReturnType<typeof session>>;

/** Resolves once nothing is read again. */
async function settle({ preview, heard, readAgain }: Session): Promise<void> {
  letTimePass();
  await preview.readAll();
  await heard();
  await preview.readAll();
  expect(await readAgain()).toBe(0);
}

test("[V1] what hasn't changed is looked at, not read again", async () => {
  const { root, preview, heard } = await session({ isAccepted: true });
  letTimePass();
  await preview.readAll();
  await heard();
  const before = preview.state.scenes;
  const counts = await countCalls(() => preview.readAll());
  expect(counts).toEqual({
    // The root and the packages.
    readdir: 3,
    realpath: 1,
    // Manifest, two sounds, the golden's folder and its two files.
    lstat: 2 * 6,
  });
  expect(preview.state.scenes).toEqual(before);
  await writeFile(join(root, "A", "notes.txt"), "");
  expect(await countCalls(() => preview.readAll())).toEqual(counts);
});

/** A time that every file system can keep. */
const LONG_AGO = new Date("2020-01-02T03:04:06Z");

/** Writes a file of the same size, and sets its time back to `LONG_AGO`. */
async function replaceUnseen(path: string, write: (path: string) => Promise<void>): Promise<void> {
  const { size, mtimeMs } = await stat(path);
  expect(mtimeMs).toBe(LONG_AGO.getTime());
  await write(path);
  await utimes(path, LONG_AGO, LONG_AGO);
  expect(await stat(path)).toMatchObject({ size, mtimeMs });
}

test.each([
  ["written over", (path: string) => writeFile(path, smallWav({ fill: 3 }))],
  [
    "replaced by a rename",
    async (path: string) => {
      await writeFile(`${path}.new`, smallWav({ fill: 3 }));
      await rename(`${path}.new`, path);
    },
  ],
])("[V1] a sound of the same size and time is read again if it was %s", async (_, write) => {
  const at = await session();
  await settle(at);
  const before = at.scene(0).tracks[0];
  await replaceUnseen(at.wav, write);
  // Its package, and perhaps the sound's audio already.
  expect([3, 4]).toContain(await at.readAgain());
  expect(at.scene(0).tracks[0]).not.toEqual(before);
});

test("[V1] so is a manifest of the same size and time", async () => {
  const at = await session();
  await settle(at);
  const manifest = join(at.folders[0], "manifest.json");
  const text = await readFile(manifest, "utf8");
  await replaceUnseen(manifest, (path) => writeFile(path, text.replace("Found", "Other")));
  await at.readAgain();
  expect([at.scene(0).name, at.scene(1).name]).toEqual(["Other (App)", "Found (App)"]);
});

test("[V1] a golden that appears, changes or disappears is compared again", async () => {
  const at = await session();
  await settle(at);
  const status = () => at.scene(0).golden.status;
  expect(status()).toBe("missing");
  const accepted = join(at.folders[0], "expected");
  await runLibrary([at.folders[0]], updateTask());
  await age(accepted);
  await at.preview.readAll();
  expect(status()).toBe("same");
  const golden = join(accepted, "layout.json");
  const text = await readFile(golden, "utf8");
  await replaceUnseen(golden, (path) => writeFile(path, text.replace('"Hit"', '"Hut"')));
  await at.preview.readAll();
  expect(status()).toBe("differs");
  await rm(accepted, { recursive: true });
  await at.preview.readAll();
  expect(status()).toBe("missing");
  // A golden that is only in iCloud.
  await mkdir(accepted);
  await writeFile(join(accepted, ".layout.json.icloud"), "");
  await at.preview.readAll();
  expect(status()).toBe("unreadable");
  await rm(accepted, { recursive: true });
  await at.preview.readAll();
  expect(status()).toBe("missing");
});

test("[V1] what had just changed when it was read is read again", async () => {
  const { preview, heard, readAgain } = await session();
  await preview.readAll();
  await heard();
  // Another write in the same tick of the file system's clock would leave its time as it is.
  expect(await readAgain()).toBeGreaterThan(0);
  letTimePass();
  expect(await readAgain()).toBeGreaterThan(0);
  expect(await readAgain()).toBe(0);
});

test("[V1] what couldn't be read is read again", async () => {
  const at = await session();
  await settle(at);
  await rename(at.wav, `${at.wav}.away`);
  await at.preview.readAll();
  expect(at.scene(0).tracks[0]).toHaveProperty("error");
  expect(await at.readAgain()).toBeGreaterThan(0);
  await rename(`${at.wav}.away`, at.wav);
  await at.preview.readAll();
  expect(at.scene(0).tracks[0]).not.toHaveProperty("error");
});

test.skipIf(process.platform === "win32")("[V1] a link is read again", async () => {
  const at = await session();
  const target = join(at.folders[0], "target.wav");
  await rename(at.wav, target);
  await symlink(target, at.wav);
  letTimePass();
  await at.preview.readAll();
  await at.heard();
  expect(at.scene(0).tracks[0]).toMatchObject({ frames: 100 });
  await writeFile(target, smallWav({ frames: 7 }));
  await at.preview.readAll();
  expect(at.scene(0).tracks[0]).toMatchObject({ frames: 7 });
});

test("[B4] --check reads everything, however often the preview has", async () => {
  const at = await session({ isAccepted: true });
  const check = () => countCalls(() => runLibrary(at.folders, CHECK));
  const counts = await check();
  await settle(at);
  expect(await check()).toEqual(counts);
});
