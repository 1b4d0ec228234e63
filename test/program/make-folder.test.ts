import { mkdtemp, rm, stat, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import { FolderNotMadeError, makeFolder, makeFolderSync } from "../../program/make-folder.ts";

const WAYS = [
  ["makeFolder", makeFolder],
  [
    "makeFolderSync",
    async (...given: Parameters<typeof makeFolderSync>) => makeFolderSync(...given),
  ],
] as const;

async function makeRoot(): Promise<string> {
  const root = await mkdtemp(join(tmpdir(), "soundferry-make-folder-"));
  onTestFinished(() => rm(root, { recursive: true, force: true }));
  return root;
}

describe.each(WAYS)("%s", (_, make) => {
  test("creates all folders of a path, and names the outermost one that it created", async () => {
    const root = await makeRoot();
    expect(await make(join(root, "a", "b", "c"), { mode: 0o700 })).toBe(join(root, "a"));
    const { mode } = await stat(join(root, "a", "b", "c"));
    if (process.platform !== "win32") expect(mode & 0o777).toBe(0o700);
    expect(await make(join(root, "a", "b", "c"))).toBeUndefined();
    expect(await make(join(root, "a", "b", "d"))).toBe(join(root, "a", "b", "d"));
  });

  test("does nothing for a root", async () => {
    expect(await make("/")).toBeUndefined();
  });

  test("a file in the way ends it with a sentence", async () => {
    const root = await makeRoot();
    await writeFile(join(root, "file"), "");
    await expect(make(join(root, "file"))).rejects.toThrow(FolderNotMadeError);
    await expect(make(join(root, "file", "x", "y"))).rejects.toThrow(
      /^Can't create the folder .*y: [a-z].* Check the path/,
    );
  });

  test("a link that leads nowhere ends it", async () => {
    const root = await makeRoot();
    await symlink(join(root, "nowhere"), join(root, "link"));
    await expect(make(join(root, "link"))).rejects.toThrow(FolderNotMadeError);
  });

  test.skipIf(process.platform !== "linux")(
    "D10: a file system that takes no folders ends it",
    async () => {
      for (const path of ["/proc/x", "/proc/x/y/z"]) {
        await expect(make(path)).rejects.toThrow(
          "Can't create the folder /proc/x: the system refuses it.",
        );
      }
    },
  );
});

test("[J1] names the outermost folder that it made, even if it gets Node's options", async () => {
  const root = await makeRoot();
  const options = { recursive: true, mode: 0o700 };
  expect(await makeFolder(join(root, "a", "b", "c"), options)).toBe(join(root, "a"));
  expect(await makeFolder(join(root, "a", "b", "c"), options)).toBeUndefined();
});
