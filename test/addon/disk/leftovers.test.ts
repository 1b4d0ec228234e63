import { chmod, mkdir, readdir, readFile, utimes, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { setImmediate } from "node:timers/promises";
import { expect, test } from "vitest";
import { clearLeftovers } from "../../../addon/disk/clear-leftovers.ts";
import { createPackageFolder, removeIfEmpty } from "../../../addon/disk/package-folders.ts";
import { SoundsFolder } from "../../../addon/disk/sounds-folder.ts";
import type { Manifest } from "../../../core/manifest/manifest.ts";
import { runUnprivileged } from "../../unprivileged.ts";
import { temporaryFolder } from "../temporary-folder.ts";

const MINUTE_MS = 60_000;
const DAY_MS = 24 * 60 * MINUTE_MS;
const MANIFEST: Manifest = {
  schema: "app2host/1",
  package_id: "pkg_1",
  title: "Kit",
  source: { app: "Looper" },
  items: [{ file: "1.wav", id: "1", name: "Kick", kind: "oneshot" }],
};

/** Creates folders (names that end with `/`) and files, changed so long ago. */
async function fill(folder: string, names: readonly string[], agoMs = 0): Promise<void> {
  const then = new Date(Date.now() - agoMs);
  for (const name of names) {
    const path = join(folder, name);
    await mkdir(name.endsWith("/") ? path : join(path, ".."), { recursive: true });
    if (!name.endsWith("/")) await writeFile(path, "{}");
  }
  for (const name of names.toReversed()) {
    await utimes(join(folder, name), then, then);
    if (!name.endsWith("/")) await utimes(join(folder, name, ".."), then, then);
  }
}

async function namesIn(folder: string): Promise<readonly string[]> {
  return (await readdir(folder, { recursive: true })).sort();
}

test("[R3] unfinished files go, with nothing else", async () => {
  const folder = await temporaryFolder();
  const kept = ["importer.lock", "config.json", "mine.new", "outbox/pkg_1.json"];
  await fill(folder, kept, DAY_MS);
  await fill(folder, [
    "config.json.tmp-1234567890abcdef",
    "importer.lock.new",
    "outbox/pkg_1.json.new",
  ]);
  await clearLeftovers(folder);
  expect(await namesIn(folder)).toEqual([...kept, "outbox"].sort());
});

test("[F6] folders without a sound that a killed import left go, with nothing else", async () => {
  const root = await temporaryFolder();
  const nameless = ".soundferry-0b8ee6f3-0f2c-4b1e-9d8e-1f1a2b3c4d5e";
  const gone = [`${nameless}/.soundferry.json`, "Half/.soundferry.json.new"];
  const kept = [
    "Kit/.soundferry.json",
    "Mine/.soundferry.json.new",
    "Mine/song.wav",
    ".soundferry-mine/.soundferry.json",
  ];
  await fill(root, [...kept, ...gone], 2 * MINUTE_MS);
  await fill(root, ["Inbox/", "Long empty/"], 2 * DAY_MS);
  await fill(root, ["New/.soundferry.json.new"]);
  await fill(root, ["Empty/"], 2 * MINUTE_MS);
  const sounds = new SoundsFolder(root);
  await sounds.clearEmpty({ keep: join(root, "Inbox"), now: Date.now() });
  const left = (await namesIn(root)).filter((name) => !name.includes("/"));
  expect(left).toEqual([".soundferry-mine", "Empty", "Inbox", "Kit", "Mine", "New"]);
  expect(await readdir(join(root, "Mine"))).toHaveLength(2);
});

test("[F5] a file that lands in an empty folder while it is removed stays where it was put", async () => {
  const root = await temporaryFolder();
  const landed: string[] = [];
  for (let time = 0; time < 100; time += 1) {
    const path = join(root, `Kit ${time}`);
    await createPackageFolder(path, {
      packageId: "pkg_1",
      title: "Kit",
      fileNames: new Set(),
      playedNames: new Set(),
      written: new Map(),
    });
    const song = join(path, "song.wav");
    const landing = setImmediate()
      .then(() => writeFile(song, "mine"))
      .then(
        () => landed.push(song),
        () => undefined,
      );
    await Promise.all([removeIfEmpty(path), landing]);
  }
  expect(await Promise.all(landed.map((song) => readFile(song, "utf8")))).toEqual(
    landed.map(() => "mine"),
  );
});

test.skipIf(process.platform === "win32")(
  "[F6] a folder that can't be read is reported, and the others are cleaned",
  async () => {
    const root = await temporaryFolder();
    const half = ["A", "Private", "Z"].map((name) => `${name}/.soundferry.json.new`);
    await fill(root, half, 2 * MINUTE_MS);
    await chmod(join(root, "Private"), 0o000);
    const script = join(import.meta.dirname, "clear-folders.ts");
    expect(await runUnprivileged(script, root)).toBe(
      `The folder ${join(root, "Private")} can't be read or removed.`,
    );
    await chmod(join(root, "Private"), 0o700);
    expect(await readdir(root)).toEqual(["Private"]);
  },
);

test("[F2] a folder appears with its marker; one that was never finished isn't the package's", async () => {
  const root = await temporaryFolder();
  const nameless = join(root, ".soundferry-0b8ee6f3-0f2c-4b1e-9d8e-1f1a2b3c4d5e");
  await mkdir(nameless);
  const marker = { package_id: "pkg_1", title: "Kit", files: [], played: [] };
  await writeFile(join(nameless, ".soundferry.json"), JSON.stringify(marker));
  const { path, name } = await new SoundsFolder(root).openFor(MANIFEST);
  expect(name).toBe("Kit");
  expect(JSON.parse(await readFile(join(path, ".soundferry.json"), "utf8"))).toMatchObject({
    package_id: "pkg_1",
  });
});

test("[F5] a folder without a sound goes although an unfinished marker is in it", async () => {
  const root = await temporaryFolder();
  const folder = await new SoundsFolder(root).openFor(MANIFEST);
  await writeFile(join(folder.path, ".soundferry.json.new"), "{");
  await folder.removeLeftovers();
  expect(await readdir(root)).toEqual([]);
});
