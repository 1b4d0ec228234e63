import { mkdir, readFile, rm, writeFile } from "node:fs/promises";
import { join, sep } from "node:path";
import { expect, test } from "vitest";
import { findPackages } from "../../../cli/layout/find-packages.ts";
import { CHECK, updateTask } from "../../../cli/commands/layout/library-tasks.ts";
import { SHOW } from "../../../cli/commands/layout/show-task.ts";
import { runLibrary } from "../../../cli/layout/run-library.ts";
import { temporaryFolder } from "../../addon/temporary-folder.ts";
import { fixtureFolder } from "../../fixtures/fixture-packages.ts";
import { writeLibrary, writeManifest } from "./package-folders.ts";

const UPDATE = updateTask();

async function setUp(packages: number) {
  const root = await temporaryFolder();
  const folders = await writeLibrary(root, { packages, sounds: 3 });
  const [first = "", second = "", third = "", fourth = "", fifth = ""] = folders;
  const run = async (task: typeof SHOW) => runLibrary(await findPackages([root]), task);
  return { root, folders, spoiled: { first, second, third, fourth, fifth }, run };
}

test("[B4] a library is shown in its order, with a summary at the end", async () => {
  const { folders, run } = await setUp(60);
  const { json, text, exitStatus } = await run(SHOW);
  expect(json.packages).toEqual(
    folders.map((folder, index) =>
      expect.objectContaining({ folder, scene: { name: `Title ${index + 1} (App)` } }),
    ),
  );
  expect(text.match(/^Title \d+/gmu)).toEqual(folders.map((_, index) => `Title ${index + 1}`));
  expect(text).toMatch(/\n60 packages, 180 sounds: 60 laid out\.$/);
  expect(exitStatus).toBe(0);
});

test("[B4] the summary counts packages with sounds that can't be used", async () => {
  const { text, exitStatus } = await runLibrary([fixtureFolder("local-with-broken-sounds")], SHOW);
  expect(text).toMatch(/\n1 package, 6 sounds: 1 with sounds that can't be used\.$/);
  expect(exitStatus).toBe(0);
});

test("[B4] lists only changes and differences, and a failure doesn't stop the others", async () => {
  const { spoiled, run } = await setUp(12);
  const { text: accepting } = await run(UPDATE);
  expect(accepting.split("\n")).toHaveLength(13);
  expect(accepting).toMatch(/\n12 packages, 36 sounds: 12 accepted\.$/);
  expect((await run(UPDATE)).text).toBe("12 packages, 36 sounds: 12 unchanged.");
  expect(await run(CHECK)).toMatchObject({
    text: "12 packages, 36 sounds: 12 match.",
    exitStatus: 0,
  });

  const { first, second, third, fourth, fifth } = spoiled;
  await writeManifest(first, { title: "New", items: [] });
  await writeManifest(second, { title: "New", items: [{ file: "sound-1.wav", name: "Sound 1" }] });
  await rm(join(third, "expected"), { recursive: true });
  await writeFile(join(fourth, "expected", "layout.json"), "{");
  await writeFile(join(fifth, "expected", "layout.txt"), "Old\n");
  const { json, text, exitStatus } = await run(CHECK);
  expect(exitStatus).toBe(1);
  expect(text.split("\n")).toEqual([
    expect.stringMatching(/Package 1: .*[.]$/),
    expect.stringMatching(/Package 2:$/),
    "  –           Scene name  “Title 2 (App)” → “New (App)”",
    "  –  Sound 2  Sound       “Sound 2” → missing",
    "  –  Sound 3  Sound       “Sound 3” → missing",
    expect.stringMatching(/Package 3: expected\/layout\.json is missing\.$/),
    expect.stringMatching(
      /Package 4: expected\/layout\.json isn't valid JSON \(line \d+, column \d+\)\.$/,
    ),
    expect.stringMatching(/Package 5: expected\/layout\.txt is outdated: .*\.$/),
    "12 packages, 31 sounds: 7 match, 1 different, 1 without an accepted layout, " +
      "1 with an unusable accepted layout, 1 with an outdated layout.txt, 1 broken.",
    "Review the differences; --update accepts them.",
    "Restore what was accepted in expected/; --update replaces it.",
  ]);
  expect(json.packages).toHaveLength(12);
  const errorIn = (folder: string) => {
    const file = join(folder, "manifest.json");
    return { folder, error: expect.any(String), file, line: 1, column: expect.any(Number) };
  };
  expect(json.packages.slice(0, 6)).toEqual([
    errorIn(first),
    { folder: second, same: false, status: "differs", differences: expect.any(Array) },
    { ...errorIn(third), same: false, status: "missing" },
    { ...errorIn(fourth), same: false, status: "unreadable" },
    { ...errorIn(fifth), same: false, status: "outdated_text" },
    { folder: expect.stringMatching(/Package 6$/), same: true, status: "same" },
  ]);
});

test("[B4] a stopped run finishes what it has started, and starts nothing more", async () => {
  const { folders } = await setUp(60);
  const stop = new AbortController();
  const ended: string[] = [];
  const update: typeof UPDATE = {
    ...UPDATE,
    report: async (folderPackage) => {
      stop.abort(new Error("Stopped."));
      const report = await UPDATE.report(folderPackage);
      ended.push(folderPackage.folder);
      return report;
    },
  };
  await expect(runLibrary(folders, update, stop.signal)).rejects.toThrow("Stopped.");
  const accepted = await runLibrary(folders, CHECK);
  expect(accepted.text).toContain(`: ${ended.length} match, `);
  expect(ended.length).toBeLessThan(folders.length / 2);
});

test("[B1] a path without a package is broken, with a sentence, and has nothing to accept", async () => {
  const root = await temporaryFolder();
  const empty = join(root, "empty");
  await mkdir(join(empty, "er"), { recursive: true });
  const { json, text, exitStatus } = await runLibrary(
    await findPackages([empty, join(root, "nowhere")]),
    CHECK,
  );
  expect(text.split("\n")).toEqual([
    `${empty}: No package found: there is no manifest.json here or in a subfolder.`,
    expect.stringContaining("nowhere: There is no folder "),
    "2 packages, 0 sounds: 2 broken.",
  ]);
  expect(json.packages).toEqual([
    { folder: empty, error: expect.any(String), code: "NO_PACKAGE" },
    { folder: join(root, "nowhere"), error: expect.any(String), code: "NO_PACKAGE" },
  ]);
  expect(exitStatus).toBe(2);
});

test("[B4] a golden that can't be written doesn't stop the others", async () => {
  const folders = await writeLibrary(await temporaryFolder(), { packages: 2, sounds: 1 });
  await writeFile(join(folders[0] ?? "", "expected"), "a file");
  const { text, exitStatus } = await runLibrary(folders, UPDATE);
  expect(text).toContain("Package 1: expected/layout.json can't be written.");
  expect(text).toMatch(/: 1 accepted, 1 broken\.$/);
  expect(exitStatus).toBe(1);
});

test.skipIf(process.platform === "win32")("[B4] a folder's name can't forge a line", async () => {
  const root = await temporaryFolder();
  const folders = await writeLibrary(join(root, "a\nb"), { packages: 1, sounds: 1 });
  const { text } = await runLibrary(folders, CHECK);
  expect(text.split("\n")).toHaveLength(3);
  expect(text).toContain("a b");
});

test("[B5][K5] check passes goldens from before colors were automatic, each with a hint", async () => {
  const { root, spoiled, run } = await setUp(3);
  await run(UPDATE);
  const path = join(spoiled.second, "expected", "layout.json");
  const golden = JSON.parse(await readFile(path, "utf8"));
  golden.tracks[0].color_index = 10;
  golden.tracks[2].color_index = 69;
  await writeFile(path, JSON.stringify(golden));
  const { json, text, exitStatus } = await run(CHECK);
  const hint = "The color of 2 sounds is automatic now. layout --update records that.";
  expect(exitStatus).toBe(0);
  expect(text.replaceAll(`${root}${sep}`, "").split("\n")).toEqual([
    `${join("Set 2", "Package 2")}: ${hint}`,
    "3 packages, 9 sounds: 3 match.",
  ]);
  expect(json.packages).toMatchObject([
    { same: true, status: "same" },
    { same: true, status: "same", hints: [{ code: "COLOR_AUTOMATIC", sounds: ["1", "3"], hint }] },
    { same: true, status: "same" },
  ]);
  expect((await run(UPDATE)).text).toMatch(/1 accepted, 2 unchanged\.$/);
  expect((await run(CHECK)).text).toBe("3 packages, 9 sounds: 3 match.");
});
