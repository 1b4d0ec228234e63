import { execFile, spawnSync } from "node:child_process";
import { writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { promisify } from "node:util";
import { describe, expect, test } from "vitest";
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
