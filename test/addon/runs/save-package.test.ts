import { readdir, readFile, rm, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { FolderHost } from "../../../addon/hosts/folder/folder-host.ts";
import { clearKeptFiles, measureKeptFiles } from "../../../addon/disk/kept-files.ts";
import { DawprojectHost } from "../../../addon/hosts/dawproject/dawproject-host.ts";
import type { PlaceRequest } from "../../../addon/hosts/host.ts";
import { readLocalPackage } from "../../../addon/packages/local-package.ts";
import { relayPackage } from "../../../addon/packages/package-source.ts";
import { parseManifest } from "../../../core/manifest/parse-manifest.ts";
import { writeLocalPackage } from "../importer-at-work.ts";
import { offerKit, SoundRelay } from "./sound-relay.ts";
import { temporarySite } from "./temporary-site.ts";

const NAMES = ["Kick", "Snare", "Hat"];
const ALL = [
  ".soundferry.json",
  "Hat.wav",
  "Kick.wav",
  "Kit.dawproject",
  "Snare.wav",
  "manifest.json",
];

async function setUp() {
  const relay = new SoundRelay();
  const site = await temporarySite();
  const offered = offerKit(relay, NAMES);
  const source = () => relayPackage(offered, relay.port());
  const kit = join(site.sounds, "Kit");
  const list = async () => (await readdir(kit)).toSorted();
  const manifest = async () => JSON.parse(await readFile(join(kit, "manifest.json"), "utf8"));
  const inodes = async () =>
    Promise.all((await list()).map(async (name) => [name, (await stat(join(kit, name))).ino]));
  return { relay, site, source, kit, list, manifest, inodes };
}

test("[F10] a folder is a package before anything is placed, with the files' own names and checksums", async () => {
  const { site, source, kit, list, manifest } = await setUp();
  let seen: readonly string[] = [];
  const host = new FolderHost();
  const place = host.place.bind(host);
  host.place = async (request: PlaceRequest) => {
    seen = await list();
    return place(request);
  };
  await site.import(source(), { host });
  expect(seen).toEqual(ALL);
  const value = await manifest();
  const { warnings } = parseManifest(value, { packageId: value.package_id });
  expect(warnings).toEqual([]);
  expect(value.package_id).toBe("pkg_a");
  expect(value.items).toMatchObject(NAMES.map((name) => ({ file: `${name}.wav`, name })));

  const found = await readLocalPackage(kit);
  expect([found.problems.size, found.warnings]).toEqual([0, []]);
  const other = await temporarySite();
  expect(await other.import(found)).toMatchObject({ status: "imported" });
});

test("[F10] names that an app couldn't send are those of the files, and can be imported from there", async () => {
  const relay = new SoundRelay();
  const site = await temporarySite();
  const offered = offerKit(relay, ["Bässe (2)", "bässe (2)", "Kick & Snare!"]);
  await site.import(relayPackage(offered, relay.port()));
  const found = await readLocalPackage(join(site.sounds, "Kit"));
  expect(found.manifest.items.map(({ file }) => file)).toEqual([
    "Bässe (2).wav",
    "bässe (2) 2.wav",
    "Kick & Snare!.wav",
  ]);
  expect([...found.problems.values()]).toEqual([]);
});

test("[F10] an import again writes nothing again, at any host", async () => {
  const { site, source, inodes } = await setUp();
  await site.import(source(), { host: new FolderHost() });
  const before = await inodes();
  await site.import(source(), { host: new FolderHost() });
  await site.import(source());
  const marker = ([name]: readonly unknown[]) => name !== ".soundferry.json";
  expect((await inodes()).filter(marker)).toEqual(before.filter(marker));
});

test("[F10] an import of the rest leaves what is there in manifest and project", async () => {
  const { site, source, manifest, list, kit } = await setUp();
  await site.import(source(), { soundIds: ["1"] });
  expect(await list()).not.toContain("Snare.wav");
  const first = await readFile(join(kit, "Kit.dawproject"), "latin1");
  expect(first).toContain("Kick.wav");
  expect(first).not.toContain("Snare.wav");
  await site.import(source());
  expect(await list()).toEqual(ALL);
  for (const { sha256 } of (await manifest()).items) expect(sha256).toMatch(/^[0-9a-f]{64}$/);
  const project = await readFile(join(kit, "Kit.dawproject"), "latin1");
  for (const name of NAMES) expect(project).toContain(`${name}.wav`);
});

test("[F10] a local package without checksums gets them, also for what an earlier import fetched", async () => {
  const { site, manifest } = await setUp();
  const folder = await writeLocalPackage(join(site.folder, "mine"), "Kit", ["Kick", "Snare"]);
  await site.import(await readLocalPackage(folder), { soundIds: ["1"] });
  const [kick, snare] = (await manifest()).items;
  expect(kick).toMatchObject({ bytes: expect.any(Number), sha256: expect.any(String) });
  expect(snare).not.toHaveProperty("sha256");
  await site.import(await readLocalPackage(folder));
  const items = (await manifest()).items;
  expect(items[0]).toEqual(kick);
  expect(items[1]).toHaveProperty("sha256");
});

describe("a package of which nothing was fetched", () => {
  test("[F5][F10] leaves no folder, and no manifest without a sound", async () => {
    const { relay, site, source } = await setUp();
    for (const index of [1, 2, 3]) {
      relay.spoil(`pkg_a-${index}.wav`, { status: 404, code: "FILE_UNKNOWN" });
    }
    expect(await site.import(source())).toMatchObject({ status: "failed", folder: null });
    expect(await readdir(site.sounds)).toEqual([]);
  });
});

describe("a DAWproject file of a person's", () => {
  test("[F10] is never overwritten by the small one", async () => {
    const { site, source, kit } = await setUp();
    await site.import(source(), { soundIds: ["1"] });
    await writeFile(join(kit, "Kit.dawproject"), "mine");
    await site.import(source());
    expect(await readFile(join(kit, "Kit.dawproject"), "utf8")).toBe("mine");
  });

  test("[D7][F10] is the whole one that an import into a file puts in place of the small one", async () => {
    const { site, source, kit } = await setUp();
    await site.import(source());
    const small = await stat(join(kit, "Kit.dawproject"));
    await site.import(source(), { host: new DawprojectHost() });
    const whole = await stat(join(kit, "Kit.dawproject"));
    expect(whole.size).toBeGreaterThan(small.size);
    await site.import(source(), { again: true });
    expect((await stat(join(kit, "Kit.dawproject"))).ino).toBe(whole.ino);
    await clearKeptFiles(site.sounds);
    expect((await stat(join(kit, "Kit.dawproject"))).ino).toBe(whole.ino);
  });
});

test("[F6][F10] what was only saved can be cleared, and goes as a whole", async () => {
  const { site, source, kit, list } = await setUp();
  await site.import(source(), { host: new FolderHost() });
  const sizes = await Promise.all(
    ALL.slice(1).map(async (name) => (await stat(join(kit, name))).size),
  );
  const bytes = sizes.reduce((sum, size) => sum + size, 0);
  expect(await measureKeptFiles(site.sounds)).toEqual({ bytes, clearableBytes: bytes });

  await site.import(source(), { soundIds: ["2"] });
  expect((await measureKeptFiles(site.sounds)).clearableBytes).toBe(
    (await stat(join(kit, "Kick.wav"))).size + (await stat(join(kit, "Hat.wav"))).size,
  );
  await clearKeptFiles(site.sounds);
  expect(await list()).toEqual([
    ".soundferry.json",
    "Kit.dawproject",
    "Snare.wav",
    "manifest.json",
  ]);
});

test("[F6][F10] a manifest that a person changed stays with its folder", async () => {
  const { site, source, kit, list } = await setUp();
  await site.import(source(), { host: new FolderHost() });
  await writeFile(join(kit, "manifest.json"), "{}");
  await clearKeptFiles(site.sounds);
  expect(await list()).toEqual([".soundferry.json", "manifest.json"]);
});

test("[F1][F10] a sound keeps its file's name, though another's of that name is gone", async () => {
  const { relay, site, source, kit, list } = await setUp();
  await site.import(relayPackage(offerKit(relay, ["Kick"]), relay.port()));
  await writeFile(join(kit, "Snare.wav"), "mine");
  const grown = offerKit(relay, NAMES);
  await site.import(relayPackage(grown, relay.port()));
  expect(await list()).toContain("Snare 2.wav");
  await rm(join(kit, "Snare.wav"));
  const before = await list();
  await site.import(source(), { again: true });
  expect(await list()).toEqual(before);
});
