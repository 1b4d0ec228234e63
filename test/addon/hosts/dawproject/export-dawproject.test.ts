import { readdir, readFile, rm, truncate, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { sentenceOf, WrongUse } from "../../../../cli/fail.ts";
import {
  dawprojectExport,
  exportPackages,
} from "../../../../cli/commands/layout/export-packages.ts";
import { readPackageFolder } from "../../../../cli/layout/read-package-folder.ts";
import { writeDawproject } from "../../../../cli/layout/write-dawproject.ts";
import { outputFor } from "../../../../cli/output.ts";
import { writeLocalPackage } from "../../importer-at-work.ts";
import { temporaryFolder } from "../../temporary-folder.ts";
import { smallWav } from "../../../wav-bytes.ts";

async function exportDawproject(folder: string, path: string) {
  return exportPackages([folder], dawprojectExport(path, false), outputFor({}));
}

test("[D7] refuses a file with another extension, so that a typo can't overwrite a sound", async () => {
  const folder = await writeLocalPackage(join(await temporaryFolder(), "kit"), "Kit", ["Kick"]);
  for (const name of ["Kick.wav", "manifest.json", "dawproject"]) {
    const path = join(folder, name);
    const before = await readFile(path).catch(() => null);
    const exporting = exportDawproject(folder, path);
    await expect(exporting).rejects.toThrow(WrongUse);
    expect(await readFile(path).catch(() => null)).toEqual(before);
  }
});

test("[D7] writes nothing if no sound can be used, and says why for each", async () => {
  const folder = await temporaryFolder();
  const kit = await writeLocalPackage(join(folder, "kit"), "Kit", ["Kick", "Snare"]);
  await writeFile(join(kit, "Kick.wav"), "RIFF");
  await rm(join(kit, "Snare.wav"));
  const path = join(folder, "out.dawproject");
  const exporting = exportDawproject(kit, path);
  const failure = await exporting.catch(sentenceOf);
  expect(failure).toContain("None of the sounds in these packages can be used.");
  expect(failure).toContain(`${kit}: Kick: Kick.wav`);
  expect(failure).toContain(`${kit}: Snare: Snare.wav is not in the package's folder.`);
  expect(await readdir(folder)).toEqual(["kit"]);
});

test("[D7] a cancel keeps the older file, and leaves nothing beside it", async () => {
  const folder = await temporaryFolder();
  const one = await readPackageFolder(
    await writeLocalPackage(join(folder, "kit"), "Kit", ["Kick"]),
  );
  const path = join(folder, "out.dawproject");
  await writeFile(path, "older");
  const callOff = new AbortController();
  const writing = writeDawproject([one, one], path, {
    withArrangement: false,
    signal: callOff.signal,
  });
  callOff.abort(new Error("Stopped."));
  await expect(writing).rejects.toThrow("Stopped.");
  expect(await readdir(folder)).toEqual(["kit", "out.dawproject"]);
  expect(await readFile(path, "utf8")).toBe("older");
});

test("[D8] more than 4 GiB of sounds are refused before any of them is copied", async () => {
  const folder = await temporaryFolder();
  const kit = await writeLocalPackage(join(folder, "kit"), "Kit", ["Kick"]);
  const sizeBytes = 190_000_000;
  const wav = smallWav({ frames: 1 });
  wav.writeUInt32LE(sizeBytes - 8, 4);
  wav.writeUInt32LE(sizeBytes - 44, 40);
  await writeFile(join(kit, "Kick.wav"), wav);
  // The rest takes no place on the disk.
  await truncate(join(kit, "Kick.wav"), sizeBytes);
  const one = await readPackageFolder(kit);
  const path = join(folder, "out.dawproject");
  const many = Array.from({ length: 23 }, () => one);
  await expect(writeDawproject(many, path, { withArrangement: false })).rejects.toThrow(
    "A DAWproject can't be larger than 4 GiB.",
  );
  expect(await readdir(folder)).toEqual(["kit"]);
});
