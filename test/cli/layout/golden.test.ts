import { mkdir, readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { checkGolden, updateGolden } from "../../../cli/layout/golden.ts";
import { temporaryFolder } from "../../addon/temporary-folder.ts";
import { smallWav } from "../../wav-bytes.ts";

test("a package without goldens differs, with every line that it would have", async () => {
  const folder = await packageFolder();
  const verdict = await checkGolden(folder);
  expect(verdict).toMatchObject({ same: false });
  expect(verdict).toMatchObject({
    differences: expect.stringContaining("layout.json is not there"),
  });
  expect(verdict).toMatchObject({
    differences: expect.stringContaining("layout.txt is not there"),
  });
  expect(verdict).toMatchObject({ differences: expect.stringContaining("+ Found (App)\n") });
});

test("an accepted package is the same until one of its goldens is gone", async () => {
  const folder = await packageFolder();
  expect(await updateGolden(folder)).toBe(true);
  expect(await checkGolden(folder)).toEqual({ same: true });
  expect(await updateGolden(folder)).toBe(false);
  await rm(join(folder, "expected", "layout.txt"));
  expect(await checkGolden(folder)).toMatchObject({
    same: false,
    differences: expect.stringMatching(/^expected\/layout\.txt is not there/),
  });
});

test("a golden that says otherwise is shown with the lines that differ, and stays as it is", async () => {
  const folder = await packageFolder();
  await updateGolden(folder);
  const path = join(folder, "expected", "layout.json");
  const accepted = (await readFile(path, "utf8")).replace('"gain_db": -3', '"gain_db": 0');
  await writeFile(path, accepted);
  expect(await checkGolden(folder)).toMatchObject({
    differences: expect.stringMatching(
      /layout\.json differs:[^]*\n- .*"gain_db": 0[^]*\n\+ .*"gain_db": -3/,
    ),
  });
  expect(await readFile(path, "utf8")).toBe(accepted);
});

async function packageFolder(): Promise<string> {
  const folder = join(await temporaryFolder(), "package");
  await mkdir(folder);
  await writeFile(join(folder, "hit.wav"), smallWav());
  const manifest = {
    schema: "app2host/1",
    title: "Found",
    items: [{ file: "hit.wav", name: "Hit", kind: "oneshot", gain_db: -3 }],
  };
  await writeFile(join(folder, "manifest.json"), JSON.stringify(manifest));
  return folder;
}
