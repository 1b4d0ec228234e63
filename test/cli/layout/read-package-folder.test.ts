import { execFileSync } from "node:child_process";
import { symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { LocalPackageError } from "../../../addon/packages/local-package-error.ts";
import { readPackageFolder } from "../../../cli/layout/read-package-folder.ts";
import { Refusal } from "../../../core/protocol/refusal.ts";
import { temporaryFolder } from "../../addon/temporary-folder.ts";
import { fixtureFolder } from "../../fixtures/fixture-packages.ts";
import { smallWav } from "../../wav-bytes.ts";

test("gives the reason for sounds that can't be used, and lays out the rest", async () => {
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

test("distinguishes an empty file from a WAV", async () => {
  const folder = await folderWith({ "a.wav": Buffer.alloc(0) }, [{ file: "a.wav" }]);
  const { layout } = await readPackageFolder(folder);
  expect(layout.tracks[0]).toMatchObject({ error: expect.stringContaining("not a WAV") });
});

test.skipIf(process.platform === "win32")("[R5] does not wait for a pipe", async () => {
  const folder = await folderWith({ "b.wav": smallWav() }, [{ file: "a.wav" }, { file: "b.wav" }]);
  execFileSync("mkfifo", [join(folder, "a.wav")]);
  const { layout } = await readPackageFolder(folder);
  expect(layout.tracks[0]).toMatchObject({ error: "a.wav is not a file." });
  expect(layout.tracks[1]).not.toHaveProperty("error");
});

test.skipIf(process.platform === "win32")(
  "[B1] reports a manifest that is not a plain file",
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
  "[B1] does not call a folder missing that it may not read",
  async () => {
    const path = "x".repeat(5000);
    await expect(readPackageFolder(path)).rejects.toThrow(`The folder ${path} can't be read.`);
  },
);

test("[B1] says that a file is not a package folder", async () => {
  const folder = await folderWith({}, []);
  const reading = readPackageFolder(join(folder, "manifest.json"));
  await expect(reading).rejects.toThrow("This is a file, not a package folder.");
});

test("refuses a folder that isn't a package, with a sentence", async () => {
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
