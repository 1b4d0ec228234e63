import { countCalls } from "../../sim/counted-disk.ts";
import { afterAll, expect, test, vi } from "vitest";
import { PreviewSession } from "../../../cli/preview/preview-session.ts";
import { temporaryFolder } from "../../addon/temporary-folder.ts";
import { writeLibrary } from "../layout/package-folders.ts";

const PACKAGES = 10_000;

afterAll(() => void vi.useRealTimers());

test("[V1] of 10,000 packages that are listed twice, each file is read once", async () => {
  const root = await temporaryFolder();
  await writeLibrary(root, { packages: PACKAGES, sounds: 1 });
  // An hour later no file has just changed.
  vi.useFakeTimers({ toFake: ["Date"], now: Date.now() + 3_600_000 });
  const silence = Promise.withResolvers<never>();
  const hear = () => silence.promise;
  const preview = new PreviewSession({ roots: [root], startFolder: root, isWatching: false, hear });
  const first = await countCalls(() => preview.readAll());
  expect(first).toMatchObject({ open: 2 * PACKAGES, read: 2 * PACKAGES });
  const { scenes } = preview.state;
  expect(scenes.length).toBe(PACKAGES);
  const second = await countCalls(() => preview.readAll());
  // The root, its three sets, and the packages.
  expect(second).toEqual({
    readdir: 1 + 3 + PACKAGES,
    realpath: 1,
    lstat: 2 * PACKAGES,
  });
  expect(preview.state.scenes).toEqual(scenes);
  const ended = preview[Symbol.asyncDispose]();
  silence.reject(new Error("The test is over."));
  await ended;
});
