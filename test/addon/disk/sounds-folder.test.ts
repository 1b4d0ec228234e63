import { mkdir, readdir, readFile, rename, rm, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { SoundsFolder } from "../../../addon/disk/sounds-folder.ts";
import type { Manifest } from "../../../core/manifest/manifest.ts";
import { CODE_POINT } from "../../code-point.ts";
import { temporaryFolder } from "../temporary-folder.ts";

function manifestOf(
  packageId: string,
  title: string,
  names: readonly string[] = ["Kick"],
): Manifest {
  const items = names.map((name, index) => ({
    file: `${index + 1}.wav`,
    id: String(index + 1),
    name,
    kind: "oneshot" as const,
  }));
  const source = { app: "Looper" };
  return { schema: "app2host/1", package_id: packageId, title, source, items };
}

async function setUp() {
  const outside = await temporaryFolder();
  const path = join(outside, "sounds");
  return { outside, path, sounds: new SoundsFolder(path) };
}

test("[F1] folder and files are named after title and names, clashes by numbers", async () => {
  const { path, sounds } = await setUp();
  const names = ["Kick", "KICK", "Caf\u00e9", "Cafe\u0301", "nul"];
  const folder = await sounds.openFor(manifestOf("pkg_a", "Night: Drive", names));
  expect(folder.path).toBe(join(path, "Night Drive"));
  expect(names.map((_, index) => folder.fileNameOf(String(index + 1)))).toEqual([
    "Kick.wav",
    "KICK 2.wav",
    "Caf\u00e9.wav",
    "Caf\u00e9 2.wav",
    "_nul.wav",
  ]);
});

describe("the folder of a package", () => {
  test("[F2] is found again, in any order of requests", async () => {
    const { path, sounds } = await setUp();
    const first = await sounds.openFor(manifestOf("pkg_a", "Kit"));
    const second = await sounds.openFor(manifestOf("pkg_b", "Kit"));
    expect([first.name, second.name]).toEqual(["Kit", "Kit 2"]);
    const later = new SoundsFolder(path);
    expect((await later.openFor(manifestOf("pkg_b", "Kit"))).name).toBe("Kit 2");
    expect((await later.openFor(manifestOf("pkg_a", "Kit"))).name).toBe("Kit");
  });

  test("[F2] is found under the name that its user gave it", async () => {
    const { path, sounds } = await setUp();
    await sounds.openFor(manifestOf("pkg_a", "Kit"));
    await rename(join(path, "Kit"), join(path, "Drums of June"));
    expect((await sounds.openFor(manifestOf("pkg_a", "Kit"))).name).toBe("Drums of June");
    expect(await readdir(path)).toEqual(["Drums of June"]);
  });

  test("[F2] says whose it is", async () => {
    const { path, sounds } = await setUp();
    await sounds.openFor(manifestOf("pkg_a", "Kit"));
    const marker = JSON.parse(await readFile(join(path, "Kit", ".soundferry.json"), "utf8"));
    expect(marker).toEqual({ package_id: "pkg_a", title: "Kit", files: ["Kick.wav"], played: [] });
  });

  test.each(["kit", "KIT", "Kit"])("[F1][F2] avoids a foreign folder %s", async (name) => {
    const { path, sounds } = await setUp();
    await mkdir(join(path, name), { recursive: true });
    expect((await sounds.openFor(manifestOf("pkg_a", "Kit"))).name).toBe("Kit 2");
    expect(await readdir(join(path, name))).toEqual([]);
  });

  test.each(["{", "[]", '{"package_id":7}', "x".repeat(2_000_000)])(
    "[F2] is not one with a marker of someone else's making",
    async (text) => {
      const { path, sounds } = await setUp();
      await mkdir(join(path, "Kit"), { recursive: true });
      await writeFile(join(path, "Kit", ".soundferry.json"), text);
      expect((await sounds.openFor(manifestOf("pkg_a", "Kit"))).name).toBe("Kit 2");
    },
  );

  test("[F4] is not a link that leads elsewhere", async () => {
    const { outside, path, sounds } = await setUp();
    const elsewhere = join(outside, "elsewhere");
    await new SoundsFolder(elsewhere).openFor(manifestOf("pkg_a", "Kit"));
    await mkdir(path);
    await symlink(join(elsewhere, "Kit"), join(path, "Kit"));
    const folder = await sounds.openFor(manifestOf("pkg_a", "Kit"));
    expect(folder.path).toBe(join(path, "Kit 2"));
  });

  test("[F4] lies where the sounds folder really is, when that is a link", async () => {
    const { outside } = await setUp();
    await mkdir(join(outside, "other disk"));
    await symlink(join(outside, "other disk"), join(outside, "link"));
    const folder = await new SoundsFolder(join(outside, "link")).openFor(
      manifestOf("pkg_a", "Kit"),
    );
    expect(folder.path).toBe(join(outside, "other disk", "Kit"));
  });
});

describe("files in the folder", () => {
  test("[F2] keep their names, whether they are there or not", async () => {
    const { sounds } = await setUp();
    const manifest = manifestOf("pkg_a", "Kit", ["Kick", "Kick"]);
    const folder = await sounds.openFor(manifest);
    await writeFile(folder.pathOf("2"), "second");
    const again = await sounds.openFor(manifest);
    expect([again.fileNameOf("1"), again.fileNameOf("2")]).toEqual(["Kick.wav", "Kick 2.wav"]);
  });

  test("[F1] avoid foreign files", async () => {
    const { sounds } = await setUp();
    const folder = await sounds.openFor(manifestOf("pkg_a", "Kit", ["Kick"]));
    await writeFile(join(folder.path, "snare.wav"), "mine");
    await mkdir(join(folder.path, "Hat.wav"));
    const grown = await sounds.openFor(manifestOf("pkg_a", "Kit", ["Kick", "Snare", "Hat"]));
    const names = ["1", "2", "3"].map((soundId) => grown.fileNameOf(soundId));
    expect(names).toEqual(["Kick.wav", "Snare 2.wav", "Hat 2.wav"]);
  });

  test("[F4] are never a link in their place", async () => {
    const { outside, sounds } = await setUp();
    const manifest = manifestOf("pkg_a", "Kit");
    const folder = await sounds.openFor(manifest);
    await symlink(join(outside, "precious.wav"), folder.pathOf("1"));
    expect((await sounds.openFor(manifest)).fileNameOf("1")).toBe("Kick 2.wav");
  });

  test("[F5] stay, and an empty folder goes", async () => {
    const { path, sounds } = await setUp();
    const folder = await sounds.openFor(manifestOf("pkg_a", "Kit", ["Kick", "Snare"]));
    await folder.removeLeftovers();
    expect(await readdir(path)).toEqual([]);
    const again = await sounds.openFor(manifestOf("pkg_a", "Kit", ["Kick", "Snare"]));
    await writeFile(again.pathOf("2"), "sound");
    await again.removeLeftovers();
    expect(await readdir(again.path)).toEqual([".soundferry.json", "Snare.wav"]);
  });
});

const NASTY = fc.oneof(
  fc.string({ unit: CODE_POINT, maxLength: 60 }),
  fc.constantFrom("..", "../..", "/etc/passwd", "C:\\Windows", "a/b", "a\\b", "\u0000", ".", "~"),
  fc.constantFrom(
    "CON",
    "aux.wav",
    "__proto__",
    "con stant",
    "\u202Egnp.exe",
    " ",
    "...",
    "Inbox/x",
  ),
);

test("[F4] no title, name or id creates anything outside the sounds folder", async () => {
  const { outside, path, sounds } = await setUp();
  await fc.assert(
    fc.asyncProperty(
      NASTY,
      fc.array(NASTY, { minLength: 1, maxLength: 8 }),
      fc.string({ minLength: 1, maxLength: 100 }),
      async (title, names, packageId) => {
        const folder = await sounds.openFor(manifestOf(packageId, title, names));
        for (const index of names.keys()) {
          await writeFile(folder.pathOf(String(index + 1)), "sound", { flag: "wx" });
        }
        expect(await readdir(outside)).toEqual(["sounds"]);
        expect(await readdir(folder.path)).toHaveLength(names.length + 1);
        expect((await readdir(path)).includes(folder.name)).toBe(true);
        await rm(path, { recursive: true });
      },
    ),
    { numRuns: 60 },
  );
});

test("[F4][F5] files of ours that are no sound's go with the sounds, and a tampered marker leads to no others", async () => {
  const { path, outside, sounds } = await setUp();
  const before = await sounds.openFor(manifestOf("pkg_a", "Kit", ["Kick", "Snare", "Link"]));
  for (const id of ["1", "2"]) await writeFile(before.pathOf(id), "ours");
  await symlink(join(outside, "mine.wav"), before.pathOf("3"));
  await writeFile(join(before.path, "mine.wav"), "mine");
  await writeFile(join(outside, "mine.wav"), "mine");
  const marker = join(before.path, ".soundferry.json");
  const kept = JSON.parse(await readFile(marker, "utf8"));
  await writeFile(marker, JSON.stringify({ ...kept, files: [...kept.files, "../../mine.wav"] }));

  const later = await sounds.openFor(manifestOf("pkg_a", "Kit", ["Snare"]));
  await later.removeLeftovers();
  const left = [".soundferry.json", "Link.wav", "Snare.wav", "mine.wav"];
  expect((await readdir(join(path, "Kit"))).sort()).toEqual(left);
  expect((await readdir(outside)).sort()).toEqual(["mine.wav", "sounds"]);
});
