import { execFileSync } from "node:child_process";
import { symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { LocalPackageError } from "../../../addon/packages/local-package-error.ts";
import { readPackageFolder } from "../../../tools/layout/read-package-folder.ts";
import { Refusal } from "../../../core/protocol/refusal.ts";
import { temporaryFolder } from "../../addon/temporary-folder.ts";
import { fixtureFolder } from "../../fixtures/fixture-packages.ts";
import { smallWav } from "../../wav-bytes.ts";

test("sounds that can't be used have the reason in their place, the rest is laid out", async () => {
  const { layout } = await readPackageFolder(fixtureFolder("local-with-broken-sounds"));
  expect(layout.tracks.map((track) => ("error" in track ? track.error : track.trackName))).toEqual([
    "Drums (A Folder)",
    expect.stringContaining("lost.wav"),
    expect.stringContaining("not a WAV"),
    expect.stringContaining("the file is incomplete"),
    expect.stringContaining("another sound already uses drums.wav"),
    "Bass (A Folder)",
  ]);
});

test("a file of another size than announced can't be used", async () => {
  const wav = smallWav();
  const folder = await folderWith({ "a.wav": wav, "b.wav": wav }, [
    { file: "a.wav", bytes: wav.length },
    { file: "b.wav", bytes: wav.length + 1 },
  ]);
  const { layout } = await readPackageFolder(folder);
  expect(layout.tracks.map((track) => "error" in track)).toEqual([false, true]);
});

test("an empty file is told apart from a WAV", async () => {
  const folder = await folderWith({ "a.wav": Buffer.alloc(0) }, [{ file: "a.wav" }]);
  const { layout } = await readPackageFolder(folder);
  expect(layout.tracks[0]).toMatchObject({ error: expect.stringContaining("not a WAV") });
});

test.skipIf(process.platform === "win32")("[R5] a pipe is not waited for", async () => {
  const folder = await folderWith({ "b.wav": smallWav() }, [{ file: "a.wav" }, { file: "b.wav" }]);
  execFileSync("mkfifo", [join(folder, "a.wav")]);
  const { layout } = await readPackageFolder(folder);
  expect(layout.tracks[0]).toMatchObject({ error: "a.wav is not a file." });
  expect(layout.tracks[1]).not.toHaveProperty("error");
});

test.skipIf(process.platform === "win32")(
  "[B1] a manifest that is no plain file is there, and its fault is told",
  async () => {
    const piped = await temporaryFolder();
    execFileSync("mkfifo", [join(piped, "manifest.json")]);
    await expect(readPackageFolder(piped)).rejects.toThrow("manifest.json is not a file.");
    const linked = await temporaryFolder();
    await symlink(piped, join(linked, "manifest.json"));
    await expect(readPackageFolder(linked)).rejects.toThrow("manifest.json is outside");
  },
);

test.skipIf(process.platform === "win32")(
  "[B1] a folder that can't be asked for is not said to be missing",
  async () => {
    const path = "x".repeat(5000);
    await expect(readPackageFolder(path)).rejects.toThrow(`The folder ${path} can't be read.`);
  },
);

test("[B1] a path that is a file is no folder of a package", async () => {
  const folder = await folderWith({}, []);
  const reading = readPackageFolder(join(folder, "manifest.json"));
  await expect(reading).rejects.toThrow("This is a file, not a package folder.");
});

test("a folder that is no package is refused in words", async () => {
  const empty = await temporaryFolder();
  await expect(readPackageFolder(join(empty, "nowhere"))).rejects.toThrow(LocalPackageError);
  await expect(readPackageFolder(empty)).rejects.toThrow(/manifest\.json/);
  await writeFile(join(empty, "manifest.json"), "{");
  await expect(readPackageFolder(empty)).rejects.toThrow(/isn't valid JSON/);
  await writeFile(join(empty, "manifest.json"), '{"schema": "app2host/2"}');
  await expect(readPackageFolder(empty)).rejects.toThrow(Refusal);
});

async function folderWith(
  files: Readonly<Record<string, Buffer>>,
  items: readonly object[],
): Promise<string> {
  const folder = await temporaryFolder();
  for (const [name, bytes] of Object.entries(files)) await writeFile(join(folder, name), bytes);
  await writeFile(join(folder, "manifest.json"), JSON.stringify({ schema: "app2host/1", items }));
  return folder;
}
