import { join } from "node:path";
import { expect, test } from "vitest";
import { readPackageFolder } from "../../../../cli/layout/read-package-folder.ts";
import { writeDawproject } from "../../../../cli/layout/write-dawproject.ts";
import { temporaryFolder } from "../../temporary-folder.ts";
import { fixtureFolder } from "../../../fixtures/fixture-packages.ts";
import { checkProject } from "./check-project.ts";
import { openDawproject, parseProject } from "./open-dawproject.ts";

const SPOILT: readonly (readonly [string, (xml: string) => string])[] = [
  ["an id that is there twice", (xml) => xml.replace('id="id2"', 'id="id1"')],
  ["an id that is no name", (xml) => xml.replace('id="id2"', 'id="2"')],
  ["a track that is not there", (xml) => xml.replace(/ track="id\d+"/, ' track="id9999"')],
  ["a channel that leads nowhere", (xml) => xml.replace(/destination="id\d+"/, 'destination="x"')],
  ["a sound that is not inside", (xml) => xml.replace(/path="[^"]*"/, 'path="audio/none.wav"')],
  ["a clip that lasts no time", (xml) => xml.replace(/(<Clip .*?duration=)"[^"]*"/, '$1"0"')],
  [
    "another duration than the file's",
    (xml) => xml.replace(/(<Audio .*?duration=)"[^"]*"/, '$1"99"'),
  ],
  [
    "a warp past the file's end",
    (xml) => xml.replace(/(<Warp time="[^0][^"]*" contentTime=)"[^"]*"/, '$1"99"'),
  ],
  ["warps that go back", (xml) => xml.replace(/(<Warp [^>]*>)\s*(<Warp [^>]*>)/, "$2$1")],
  ["a single warp", (xml) => xml.replace(/(<Warp [^>]*>)\s*(<Warp [^>]*>)/, "$1")],
];

test("[D9] our own check finds what a schema can't", async () => {
  const path = join(await temporaryFolder(), "out.dawproject");
  const packages = [await readPackageFolder(fixtureFolder("gains"))];
  await writeDawproject(packages, path, { withArrangement: false });
  const opened = await openDawproject(path);
  checkProject(opened);
  for (const [what, spoil] of SPOILT) {
    const xml = spoil(opened.projectXml);
    expect(xml, what).not.toBe(opened.projectXml);
    expect(() => checkProject({ ...opened, project: parseProject(xml) }), what).toThrow();
  }
});
