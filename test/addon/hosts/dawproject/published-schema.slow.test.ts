import { execFile, spawnSync } from "node:child_process";
import { writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { promisify } from "node:util";
import { describe, expect, test } from "vitest";
import { FolderHost } from "../../../../addon/hosts/folder/folder-host.ts";
import { readLocalPackage } from "../../../../addon/packages/local-package.ts";
import { FIXTURE_NAMES, fixtureFolder } from "../../../fixtures/fixture-packages.ts";
import { ImportSite } from "../../runs/import-site.ts";
import { temporaryFolder } from "../../temporary-folder.ts";
import { openDawproject } from "./open-dawproject.ts";
import { FORMS, useForms } from "./write-fixtures.ts";

/** The schema is another project's, so it is not here. */
const schema = process.env["SOUNDFERRY_DAWPROJECT_XSD"];
const hasXmllint = spawnSync("xmllint", ["--version"]).error === undefined;

describe.skipIf(schema === undefined || !hasXmllint)(
  "the published schema (needs xmllint and SOUNDFERRY_DAWPROJECT_XSD)",
  () => {
    const forms = useForms();

    test("[D9] accepts the project of every fixture, with and without the timeline", async () => {
      await validate(schema ?? "", await writeXml(forms, "projectXml"));
    });

    test("[D9] accepts the metadata of every fixture, with its sibling schema", async () => {
      const sibling = join(dirname(schema ?? ""), "MetaData.xsd");
      await validate(sibling, await writeXml(forms, "metadataXml"));
    });

    test("[D9][F10] accepts the small project beside the sounds of every fixture", async () => {
      const site = new ImportSite(await temporaryFolder());
      for (const name of FIXTURE_NAMES) {
        const source = await readLocalPackage(fixtureFolder(name));
        await site.import(source, { host: new FolderHost() });
      }
      const small = (await site.listSounds()).filter((path) => path.endsWith(".dawproject"));
      expect(small.length).toBe(FIXTURE_NAMES.length);
      const files = await Promise.all(
        small.map(async (path, index) => {
          const { projectXml } = await openDawproject(join(site.sounds, path));
          const file = join(site.folder, `${index}.xml`);
          await writeFile(file, projectXml);
          return file;
        }),
      );
      await validate(schema ?? "", files);
    });

    test("[D9] refuses a project without a version", async () => {
      const files = await writeXml(forms, "projectXml", (xml) =>
        xml.replace('<Project version="1.0">', "<Project>"),
      );
      await expect(validate(schema ?? "", files)).rejects.toThrow(/'version' is required/);
    });
  },
);

/** Writes one part of every form as a file of its own. */
async function writeXml(
  forms: ReturnType<typeof useForms>,
  part: "projectXml" | "metadataXml",
  change = (xml: string) => xml,
): Promise<readonly string[]> {
  const folder = await temporaryFolder();
  return Promise.all(
    FORMS.map(async (form, index) => {
      const opened = await openDawproject(forms.get(form).path);
      const path = join(folder, `${index}.xml`);
      await writeFile(path, change(opened[part]));
      return path;
    }),
  );
}

/** @throws with what xmllint says when a file is not valid */
async function validate(against: string, files: readonly string[]): Promise<void> {
  await promisify(execFile)("xmllint", ["--noout", "--schema", against, ...files]);
}
