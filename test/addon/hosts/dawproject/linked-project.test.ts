import { readdir, readFile, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { expect, test } from "vitest";
import { FolderHost } from "../../../../addon/hosts/folder/folder-host.ts";
import { readLocalPackage } from "../../../../addon/packages/local-package.ts";
import { FIXTURE_NAMES, fixtureFolder } from "../../../fixtures/fixture-packages.ts";
import { someOf } from "../../../whole-forms.ts";
import { temporarySite } from "../../runs/temporary-site.ts";
import { checkProject } from "./check-project.ts";
import { elements, everything, openDawproject } from "./open-dawproject.ts";

/** Saves a fixture into an importer's folder; returns the path of the small project. */
async function saveFixture(name: string): Promise<string> {
  const site = await temporarySite();
  const source = await readLocalPackage(fixtureFolder(name));
  await site.import(source, { host: new FolderHost() });
  const project = (await site.listSounds()).find((path) => path.endsWith(".dawproject")) ?? "";
  return join(site.sounds, project);
}

test.each(someOf(FIXTURE_NAMES, 4))(
  "[F10][D9] the small project refers to the WAVs beside it: %s",
  async (name) => {
    const path = await saveFixture(name);
    const opened = await openDawproject(path);
    expect(Object.keys(opened.files).toSorted()).toEqual(["metadata.xml", "project.xml"]);
    const sounds = (await readdir(dirname(path))).filter((file) => file.endsWith(".wav"));
    const files = { ...opened.files };
    for (const file of sounds) files[file] = await readFile(join(dirname(path), file));
    checkProject({ ...opened, files });
    for (const [kind, element] of everything(opened.project)) {
      if (kind === "File") expect(element["@external"]).toBe("true");
    }
  },
);

test("[F10] the same package gives the same bytes, whatever else a person put beside it", async () => {
  const [name = ""] = FIXTURE_NAMES;
  const [one, other] = [await saveFixture(name), await saveFixture(name)];
  expect(await readFile(one)).toEqual(await readFile(other));
  await writeFile(join(dirname(one), "Mine.wav"), "mine");
  const { project } = await openDawproject(one);
  expect(elements(project, "Scenes", "Scene")).toHaveLength(1);
});
