import { execFileSync } from "node:child_process";
import { mkdir, rename, rm, symlink, truncate, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { LocalPackageError } from "../../../addon/packages/local-package-error.ts";
import { readLocalPackage } from "../../../addon/packages/local-package.ts";
import { smallWav } from "../../wav-bytes.ts";
import { writeLocalPackage } from "../importer-at-work.ts";
import { temporaryFolder } from "../temporary-folder.ts";
import { temporarySite } from "../runs/temporary-site.ts";

async function setUp(names: readonly string[] = ["Kick", "Snare"]) {
  const outside = await temporaryFolder();
  const folder = await writeLocalPackage(join(outside, "Kit"), "Kit", names);
  return { outside, folder };
}

test("[R5] a folder with manifest.json and WAVs is a package", async () => {
  const { folder } = await setUp();
  const found = await readLocalPackage(folder);
  expect(found.packageId).toMatch(/^local_[0-9a-f]{32}$/);
  expect(found.manifest.items.map(({ name }) => name)).toEqual(["Kick", "Snare"]);
  expect(found.problems.size).toBe(0);
  const site = await temporarySite();
  const outcome = await site.import(found);
  expect(outcome).toMatchObject({ package_id: found.packageId, status: "imported" });
  expect(await site.listSounds()).toEqual([
    join("Kit", ".soundferry.json"),
    join("Kit", "Kick.wav"),
    join("Kit", "Kit.dawproject"),
    join("Kit", "Snare.wav"),
    join("Kit", "manifest.json"),
  ]);
  expect(await site.readSound(join("Kit", "Kick.wav"))).toEqual(smallWav());
});

test("[R5] its id doesn't depend on its content or on the path that leads to it", async () => {
  const { outside, folder } = await setUp();
  const { packageId } = await readLocalPackage(folder);
  await writeLocalPackage(folder, "Another title", ["Hat"]);
  await symlink(folder, join(outside, "link"));
  expect((await readLocalPackage(folder)).packageId).toBe(packageId);
  expect((await readLocalPackage(join(outside, "link"))).packageId).toBe(packageId);
  const copy = await writeLocalPackage(join(outside, "Kit copy"), "Kit", ["Kick"]);
  expect((await readLocalPackage(copy)).packageId).not.toBe(packageId);
});

test("[R5][F3] imported twice it makes no second copy, though it has no checksums", async () => {
  const { folder } = await setUp();
  const site = await temporarySite();
  await site.import(await readLocalPackage(folder));
  const files = await site.listSounds();
  await site.import(await readLocalPackage(folder));
  expect(await site.listSounds()).toEqual(files);
  expect((await site.session()).scenes).toHaveLength(2);
});

test("[R5] a manifest may begin with a byte order mark", async () => {
  const { folder } = await setUp([]);
  const manifest = { schema: "app2host/1", items: [{ file: "a.wav" }] };
  await writeFile(join(folder, "manifest.json"), `\uFEFF${JSON.stringify(manifest)}`);
  expect((await readLocalPackage(folder)).manifest.title).toBe("Untitled");
});

describe("a folder that isn't a package", () => {
  test.each<[string, (folder: string) => Promise<unknown>, string]>([
    ["there is none", (folder) => rm(folder, { recursive: true }), "There is no folder"],
    [
      "no manifest",
      (folder) => rm(join(folder, "manifest.json")),
      "manifest.json is not in the package's folder.",
    ],
    [
      "a manifest that is not JSON",
      (folder) => writeFile(join(folder, "manifest.json"), "{"),
      "manifest.json isn't valid JSON (line 1, column 2).",
    ],
    [
      "a manifest in UTF-16, as PowerShell writes it",
      (folder) => writeFile(join(folder, "manifest.json"), "\uFEFF{}", "utf16le"),
      "manifest.json is UTF-16. Save it as plain UTF-8 text.",
    ],
    [
      "a manifest that is too large",
      (folder) => writeFile(join(folder, "manifest.json"), Buffer.alloc(1_048_577, 0x20)),
      "manifest.json is too large. The limit is 1 MiB.",
    ],
    [
      "a manifest that is a folder",
      async (folder) => {
        await rm(join(folder, "manifest.json"));
        await mkdir(join(folder, "manifest.json"));
      },
      "manifest.json is not a file.",
    ],
    [
      "a manifest of a newer format",
      (folder) => writeFile(join(folder, "manifest.json"), '{"schema":"app2host/2"}'),
      "Format app2host/2 isn't supported yet. Update Soundferry in Live.",
    ],
  ])("[R5] says so in a sentence: %s", async (_, spoil, sentence) => {
    const { folder } = await setUp();
    await spoil(folder);
    await expect(readLocalPackage(folder)).rejects.toThrow(sentence);
  });

  test.skipIf(process.platform === "win32")("[R5] doesn't block on a pipe", async () => {
    const { folder } = await setUp();
    await rm(join(folder, "manifest.json"));
    execFileSync("mkfifo", [join(folder, "manifest.json")]);
    await expect(readLocalPackage(folder)).rejects.toThrow("manifest.json is not a file.");
  });
});

describe("a sound that can't be used", () => {
  async function problemOf(spoil: (folder: string, outside: string) => Promise<unknown>) {
    const { folder, outside } = await setUp();
    await spoil(folder, outside);
    const found = await readLocalPackage(folder);
    return { found, problem: found.problems.get("1"), others: found.problems.has("2") };
  }

  test("[R5][R1] is listed with the reason: missing", async () => {
    const { problem, others } = await problemOf((folder) => rm(join(folder, "Kick.wav")));
    expect(problem).toBe("Kick.wav is not in the package's folder.");
    expect(others).toBe(false);
  });

  test("[R5][F4] is refused: a link that leads out of the folder", async () => {
    const { problem } = await problemOf(async (folder, outside) => {
      await rename(join(folder, "Kick.wav"), join(outside, "secret.wav"));
      await symlink(join(outside, "secret.wav"), join(folder, "Kick.wav"));
    });
    expect(problem).toBe("Kick.wav is outside the package's folder.");
  });

  test("[R5] may be a link inside of the folder", async () => {
    const { problem } = await problemOf(async (folder) => {
      await rename(join(folder, "Kick.wav"), join(folder, "real.wav"));
      await symlink("real.wav", join(folder, "Kick.wav"));
    });
    expect(problem).toBeUndefined();
  });

  test("[R5] is refused: more than 200 MB", async () => {
    const { problem } = await problemOf((folder) =>
      truncate(join(folder, "Kick.wav"), 209_715_201),
    );
    expect(problem).toBe("Kick.wav: this sound takes the package over 200 MB.");
  });

  test("[R5] is refused: one that lies elsewhere", async () => {
    const { problem } = await problemOf((folder) => {
      const items = [{ file: "../secret.wav", name: "Kick" }, { file: "Snare.wav" }];
      const manifest = { schema: "app2host/1", items };
      return writeFile(join(folder, "manifest.json"), JSON.stringify(manifest));
    });
    expect(problem).toMatch(/plain name/);
  });

  test("[R5][R1] is skipped if it disappeared or shrank after the check", async () => {
    const { folder } = await setUp(["Kick", "Snare", "Hat"]);
    const found = await readLocalPackage(folder);
    await rm(join(folder, "Kick.wav"));
    await truncate(join(folder, "Snare.wav"), 100);
    const site = await temporarySite();
    const { status, tracks } = await site.import(found);
    expect(status).toBe("partial");
    expect(tracks.map((track) => [track.status, track.error])).toEqual([
      ["skipped", "Kick.wav is not in the package's folder."],
      ["skipped", "Snare.wav: the file is incomplete. Export it again."],
      ["imported", null],
    ]);
  });
});

test("[R5] recognizes folders with a manifest", async () => {
  const { folder } = await setUp();
  await rm(join(folder, "manifest.json"));
  await expect(readLocalPackage(folder)).rejects.toThrow(LocalPackageError);
});
