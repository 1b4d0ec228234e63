import { join } from "node:path";
import { expect, test } from "vitest";
import { readPackageFolder } from "../../../cli/layout/read-package-folder.ts";
import { writeLiveSet } from "../../../cli/layout/write-live-set.ts";
import { temporaryFolder } from "../../addon/temporary-folder.ts";
import { FIXTURE_NAMES, fixtureFolder } from "../../fixtures/fixture-packages.ts";
import { expectNoFindings, expectSoundImport } from "./checked-set.ts";

test.each(FIXTURE_NAMES)(
  "[LS1][LS7][LS10] the check finds nothing in the Set of %s",
  expectSoundImport,
);

test("[LS1][LS2][LS11] nor in one Set of all fixtures, with their sounds in its project", async () => {
  const packages = await Promise.all(
    FIXTURE_NAMES.map((name) => readPackageFolder(fixtureFolder(name))),
  );
  const { path, scenes, sounds } = await writeLiveSet(
    packages,
    join(await temporaryFolder(), "All"),
  );
  expect(scenes).toBe(FIXTURE_NAMES.length);
  expect(sounds).toBeGreaterThan(150);
  await expectNoFindings(path);
});
