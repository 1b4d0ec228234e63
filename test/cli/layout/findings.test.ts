import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { CHECK, CHECK_STRICTLY, updateTask } from "../../../cli/commands/layout/library-tasks.ts";
import { SHOW } from "../../../cli/commands/layout/show-task.ts";
import { runLibrary } from "../../../cli/layout/run-library.ts";
import { temporaryFolder } from "../../addon/temporary-folder.ts";
import { smallWav } from "../../wav-bytes.ts";
import { runOnce } from "../run-soundferry.ts";
import { writePackage } from "./package-folders.ts";

/** An accepted package whose second sound is silent. */
async function silentTick(): Promise<string> {
  const folder = await writePackage(join(await temporaryFolder(), "Kit"));
  await writeFile(join(folder, "tick.wav"), smallWav());
  await runLibrary([folder], updateTask());
  return folder;
}

test("[B9] a finding is a warning, and the package still matches", async () => {
  const folder = await silentTick();
  const { text, json, exitStatus } = await runLibrary([folder], CHECK);
  expect(text.split("\n")).toEqual([
    `${folder}: Warning: Tick is silent.`,
    "1 package, 2 sounds: 1 match.",
  ]);
  expect(json.packages).toEqual([
    {
      folder,
      same: true,
      status: "same",
      findings: [
        {
          severity: "warning",
          code: "SILENT",
          sound: "2",
          field: null,
          sentence: "is silent",
          measured: 0,
          threshold: 0.001,
          file: join(folder, "manifest.json"),
          line: 1,
          column: expect.any(Number),
        },
      ],
    },
  ]);
  expect(exitStatus).toBe(0);
  expect((await runLibrary([folder], SHOW)).text).not.toContain("silent");
});

test("[B9] --strict makes it an error, and a package without findings still matches", async () => {
  const folder = await silentTick();
  const strict = await runLibrary([folder], CHECK_STRICTLY);
  expect(strict.text).toContain("Error: Tick is silent.");
  expect(strict.text).toContain("\n1 package, 2 sounds: 1 with findings.\n");
  expect(strict.exitStatus).toBe(1);
  await writeFile(join(folder, "tick.wav"), smallWav({ fill: 1 }));
  await runLibrary([folder], updateTask());
  expect(await runLibrary([folder], CHECK_STRICTLY)).toMatchObject({
    text: "1 package, 2 sounds: 1 match.",
    exitStatus: 0,
  });
});

test("[B9] a finding doesn't hide a difference, nor a difference a finding", async () => {
  const folder = await silentTick();
  await writeFile(join(folder, "hit.wav"), smallWav({ fill: 2 }));
  const { text, exitStatus } = await runLibrary([folder], CHECK);
  expect(text).toContain("Warning: Tick is silent.");
  expect(text).toMatch(/Hit.*the audio changed/);
  expect(exitStatus).toBe(1);
});

test("[B9] --strict needs --check", async () => {
  const { status, stderr } = await runOnce(["layout", "--strict", await silentTick()]);
  expect([status, stderr]).toEqual([2, expect.stringContaining("--strict needs --check.")]);
});
