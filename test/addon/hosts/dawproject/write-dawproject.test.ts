import { access, cp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { readPackageFolder } from "../../../../cli/layout/read-package-folder.ts";
import { NothingToWriteError } from "../../../../cli/layout/gather-sounds.ts";
import { writeDawproject } from "../../../../cli/layout/write-dawproject.ts";
import { temporaryFolder } from "../../temporary-folder.ts";
import { fixtureFolder } from "../../../fixtures/fixture-packages.ts";
import { checkProject } from "./check-project.ts";
import { elements, openDawproject } from "./open-dawproject.ts";

const WITHOUT = { withArrangement: false };

function readFixtures(...names: readonly string[]) {
  return Promise.all(names.map((name) => readPackageFolder(fixtureFolder(name))));
}

test.each([false, true])(
  "[D1][D9] packages become one file with a scene each (laid out: %s)",
  async (withArrangement) => {
    const path = join(await temporaryFolder(), "library.dawproject");
    const packages = await readFixtures("half-beat-lengths", "missing-tempo");
    const written = await writeDawproject(packages, path, { withArrangement });
    expect(written).toMatchObject({ scenes: 2, sounds: 9, leftOut: [] });
    const opened = await openDawproject(path);
    checkProject(opened);
    expect(elements(opened.project, "Scenes", "Scene").map((scene) => scene["@name"])).toEqual([
      "Seven Eighths & Relatives (Limp)",
      "Found on an Old Drive (Attic)",
    ]);
    expect(opened.metadataXml).toContain("<Title>library</Title>");
  },
);

test("[D1] the title of a single package is its scene's name", async () => {
  const path = join(await temporaryFolder(), "out.dawproject");
  await writeDawproject(await readFixtures("bare-minimum"), path, WITHOUT);
  const [scene] = elements((await openDawproject(path)).project, "Scenes", "Scene");
  const { metadataXml } = await openDawproject(path);
  expect(metadataXml).toContain(`<Title>${String(scene?.["@name"])}</Title>`);
});

test("[D7] leaves out a sound that can't be used, with the reason", async () => {
  const folder = await temporaryFolder();
  const path = join(folder, "out.dawproject");
  const copy = join(folder, "package");
  await cp(fixtureFolder("bare-minimum"), copy, { recursive: true });
  const gone = await readPackageFolder(copy);
  await rm(join(copy, "1.wav"));
  const [broken, good] = await readFixtures("local-with-broken-sounds", "bass-lines");
  if (broken === undefined || good === undefined) throw new Error("A fixture is missing.");
  const { leftOut, scenes, sounds } = await writeDawproject([broken, gone, good], path, WITHOUT);
  const unusable = broken.layout.tracks.filter((track) => "error" in track);
  expect(unusable.length).toBeGreaterThan(1);
  expect(leftOut.slice(0, -1)).toEqual(
    unusable.map(({ clipName, error }) => ({
      folder: broken.folder,
      sound: clipName,
      text: error,
    })),
  );
  expect(leftOut.at(-1)).toMatchObject({ folder: copy, text: expect.stringContaining("1.wav") });
  expect(scenes).toBe(2);
  expect(sounds).toBe(broken.layout.tracks.length - unusable.length + good.layout.tracks.length);
  checkProject(await openDawproject(path));
});

test("[D3] lists what the format can't express, sound by sound", async () => {
  const path = join(await temporaryFolder(), "out.dawproject");
  const packages = await readFixtures("missing-tempo");
  const { notes } = await writeDawproject(packages, path, WITHOUT);
  expect(notes[0]).toEqual({
    folder: fixtureFolder("missing-tempo"),
    sound: "Unlabelled Break",
    text: "A DAWproject can't leave the tempo to be guessed: the clip is unwarped and loops over the whole file.",
  });
  expect(notes).toHaveLength(3);
});

test("[D7] keeps an older file if no sound can be used", async () => {
  const folder = await temporaryFolder();
  const path = join(folder, "out.dawproject");
  await writeFile(path, "older");
  await expect(writeDawproject([], path, WITHOUT)).rejects.toThrow(NothingToWriteError);
  expect(await readdir(folder)).toEqual(["out.dawproject"]);
  expect(await readFile(path, "utf8")).toBe("older");
});

test("reports a missing folder", async () => {
  const path = join(await temporaryFolder(), "nowhere", "out.dawproject");
  const packages = await readFixtures("bare-minimum");
  await expect(writeDawproject(packages, path, WITHOUT)).rejects.toThrow(/ENOENT/);
  await expect(access(path)).rejects.toThrow(/ENOENT/);
});
