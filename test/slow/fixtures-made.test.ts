import { mkdtemp, readdir, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { PACKAGES } from "../../fixtures/packages.ts";
import { writePackages } from "../../fixtures/write-packages.ts";
import { fixtureFolder } from "../fixtures/fixture-packages.ts";

describe("the script that makes the packages", () => {
  let made = "";
  beforeAll(async () => {
    made = await mkdtemp(join(tmpdir(), "soundferry-fixtures-"));
    await writePackages(made, PACKAGES);
  }, 60_000);
  afterAll(() => rm(made, { recursive: true, force: true }));

  test.each(PACKAGES.map(({ folder }) => folder))("gives %s byte for byte", async (name) => {
    const files = (await readdir(join(made, name))).toSorted();
    const kept = await readdir(fixtureFolder(name));
    expect(kept.filter((file) => file !== "expected").toSorted()).toEqual(files);
    for (const file of files) {
      const now = await readFile(join(made, name, file));
      const committed = await readFile(join(fixtureFolder(name), file));
      expect(now.equals(committed), file).toBe(true);
    }
  });
});
