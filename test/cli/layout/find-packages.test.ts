import { chmod, mkdir, symlink, writeFile } from "node:fs/promises";
import { join, relative } from "node:path";
import { expect, test } from "vitest";
import { findPackages } from "../../../cli/layout/find-packages.ts";
import { runUnprivileged } from "../../unprivileged.ts";
import { temporaryFolder } from "../../addon/temporary-folder.ts";

/** A folder with empty packages in it, by their paths. */
async function folderWith(...packages: readonly string[]): Promise<string> {
  const root = await temporaryFolder();
  for (const path of packages) {
    await mkdir(join(root, path), { recursive: true });
    await writeFile(join(root, path, "manifest.json"), "{}");
  }
  return root;
}

async function findBeneath(root: string, ...paths: readonly string[]): Promise<readonly string[]> {
  const found = await findPackages(paths.map((path) => join(root, path)));
  return found.map((folder) => relative(root, folder).replaceAll("\\", "/"));
}

test("[B1] does not search inside a package", async () => {
  const root = await folderWith("kit", "kit/inner");
  expect(await findBeneath(root, "kit")).toEqual(["kit"]);
  expect(await findPackages([`${root}/kit/`])).toEqual([`${root}/kit/`]);
});

test("[B1] finds a library's packages at any depth, by path, numbers by value", async () => {
  const root = await folderWith("b/10", "b/9", "b/9a", "a/deep/er/kit", "a.2", "C");
  expect(await findBeneath(root, ".")).toEqual([
    "a/deep/er/kit",
    "a.2",
    "b/9",
    "b/9a",
    "b/10",
    "C",
  ]);
});

test("[B1] orders names that differ only in how a number is written", async () => {
  const root = await folderWith("07", "7", "007");
  expect(await findBeneath(root, ".")).toEqual(["007", "07", "7"]);
});

test("[B1] skips folders that never hold packages, unless they are given", async () => {
  const root = await folderWith(".git/x", "node_modules/x", "kit", "lib/expected/x", "lib/kit");
  expect(await findBeneath(root, ".")).toEqual(["kit", "lib/kit"]);
  expect(await findBeneath(root, ".git")).toEqual([".git/x"]);
});

test("[B1] does not follow links, but a path may be one", async () => {
  const root = await folderWith("lib/kit", "elsewhere/kit");
  await symlink(join(root, "elsewhere"), join(root, "lib", "link"), "junction");
  await symlink(join(root, "lib"), join(root, "lib", "round"), "junction");
  expect(await findBeneath(root, "lib")).toEqual(["lib/kit"]);
  expect(await findBeneath(root, "lib/link")).toEqual(["lib/link/kit"]);
});

test("[B1] returns packages in the order of the paths, without duplicates", async () => {
  const root = await folderWith("lib/a", "lib/b", "kit");
  await symlink(join(root, "lib"), join(root, "same"), "junction");
  expect(await findBeneath(root, "kit", "lib/b", "lib", "same", "kit")).toEqual([
    "kit",
    "lib/b",
    "lib/a",
  ]);
});

test("[B1] returns a path without a package as it is, so that reading it says why", async () => {
  const root = await folderWith("lib/kit");
  await mkdir(join(root, "empty", "er"), { recursive: true });
  await writeFile(join(root, "file.txt"), "");
  expect(await findBeneath(root, "empty", "nowhere", "file.txt", "lib")).toEqual([
    "empty",
    "nowhere",
    "file.txt",
    "lib/kit",
  ]);
});

test("[B1] ignores a folder named like a manifest", async () => {
  const root = await folderWith("lib/manifest.json/kit");
  expect(await findBeneath(root, "lib")).toEqual(["lib/manifest.json/kit"]);
});

test.skipIf(process.platform === "win32")("[B1] returns a folder that can't be read", async () => {
  const root = await folderWith("lib/kit", "lib/locked/kit");
  await chmod(join(root, "lib", "locked"), 0o000);
  const script = join(import.meta.dirname, "print-packages.ts");
  const found = await runUnprivileged(script, join(root, "lib"));
  await chmod(join(root, "lib", "locked"), 0o700);
  expect(JSON.parse(found)).toEqual([join(root, "lib", "kit"), join(root, "lib", "locked")]);
});
