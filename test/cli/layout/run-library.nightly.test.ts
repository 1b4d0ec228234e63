import { rm } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { temporaryFolder } from "../../addon/temporary-folder.ts";
import { makeMachine } from "../run-soundferry.ts";
import { writeLibrary } from "./package-folders.ts";

test("[B4] accepts, checks and lists a library of 1,000 packages one by one", async () => {
  await using machine = await makeMachine();
  const root = await temporaryFolder();
  const folders = await writeLibrary(root, { packages: 1000, sounds: 8 });
  const accepting = await machine.run(["layout", root, "--update"]);
  expect(accepting.stdout).toContain("\n1000 packages, 8000 sounds: 1000 accepted.\n");

  const lost = folders[499] ?? "";
  await rm(join(lost, "sound-8.wav"));
  const [text, json] = await Promise.all([
    machine.run(["layout", root, "--check"]),
    machine.run(["layout", root, "--check", "--json"]),
  ]);
  expect(text.stdout.split("\n")).toEqual([
    `${lost}: Sound 8: sound-8.wav is not in the package's folder.`,
    "1000 packages, 8000 sounds: 999 match, 1 with missing or broken files.",
    "Restore missing or broken files, and correct manifest.json where it doesn't match them.",
    "",
  ]);
  const { packages } = JSON.parse(json.stdout);
  expect(packages.map(({ folder }: { folder: string }) => folder)).toEqual(folders);
  expect(packages.filter(({ same }: { same: boolean }) => !same)).toEqual([
    expect.objectContaining({ folder: lost, status: "faulty" }),
  ]);
  expect([accepting.status, text.status, json.status]).toEqual([0, 1, 1]);
});
