import { stat, utimes, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { PreviewSession } from "../../../cli/preview/preview-session.ts";
import { findSceneFolders } from "../../../cli/preview/scene-folders.ts";
import { writeLocalPackage } from "../../addon/importer-at-work.ts";
import { temporaryFolder } from "../../addon/temporary-folder.ts";
import { smallWav } from "../../wav-bytes.ts";
import { brief, readScene } from "./preview-at-work.ts";

/** A session that has read the packages A and B, and counts its notifications since. */
async function session() {
  const folder = await temporaryFolder();
  const put = (name: string, title: string) =>
    writeLocalPackage(join(folder, name), title, ["Kick"]);
  for (const name of ["A", "B"]) await put(name, name);
  const preview = new PreviewSession({ roots: [folder], startFolder: folder, isWatching: true });
  await preview.readAll();
  const told = { changes: 0 };
  preview.subscribe(() => void told.changes++);
  return { folder, put, preview, told, names: () => brief(preview.state.scenes) };
}

test("[V1] notifies nobody when a second read finds the same", async () => {
  const { folder, preview, told } = await session();
  await preview.readAll();
  await preview.readChanged([join(folder, "A", "Kick.wav"), join(folder, "notes.txt"), "/"]);
  expect(told.changes).toBe(0);
});

test("[V4] reads only the changed packages again", async () => {
  const { folder, put, preview, told, names } = await session();
  for (const name of ["A", "B"]) await put(name, "New");
  const other = preview.state.scenes[1];
  await preview.readChanged([join(folder, "A", "expected", "layout.json")]);
  expect(names()).toEqual(["New (Looper)", "B (Looper)"]);
  expect(preview.state.scenes[1]).toBe(other);
  expect(told.changes).toBe(1);
});

test("[V4] reads changes during a read together afterwards", async () => {
  const { folder, put, preview, told, names } = await session();
  for (const name of ["A", "B", "C"]) await put(name, "New");
  const manifests = ["A", "B", "C"].map((name) => join(folder, name, "manifest.json"));
  await Promise.all(manifests.map((manifest) => preview.readChanged([manifest])));
  expect(names()).toEqual(["New (Looper)", "New (Looper)", "New (Looper)"]);
  expect(told.changes).toBe(1);
});

test("[V1] notices a different WAV of the same size and time", async () => {
  const { folder, preview } = await session();
  const wav = join(folder, "A", "Kick.wav");
  const revision = () => {
    const [track] = readScene(preview.state.scenes[0]).tracks;
    return track !== undefined && "revision" in track ? track.revision : undefined;
  };
  const [before, { mtime }] = [revision(), await stat(wav)];
  expect(before).toEqual(expect.any(String));
  // Repeats until the file system's clock has advanced.
  while (revision() === before) {
    await writeFile(wav, smallWav({ fill: 3 }));
    await utimes(wav, mtime, mtime);
    await preview.readAll();
  }
});

test("[V1] a package that two paths lead to is one scene", async () => {
  const { folder } = await session();
  const roots = [join(folder, "A"), folder];
  const found = await findSceneFolders({ roots, startFolder: folder });
  expect([...found.values()].map(({ shownAs }) => shownAs)).toEqual(["A", "B"]);
});
