import { existsSync, statSync } from "node:fs";
import { mkdtemp, readdir, readFile, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { readManifest } from "../../../relay/operating/backup-manifest.ts";
import { restore } from "../../../relay/operating/restore.ts";
import type { RunningRelay } from "../running-relay.ts";
import { emptyFolder, relayWithSounds, startOn } from "./backed-up-relay.ts";

const helloOf = async (relay: RunningRelay) => (await relay.call("GET", "/importer/hello")).json;

async function expectWhole(
  relay: RunningRelay,
  importer: { token: string },
  packages: readonly string[],
) {
  const { token } = importer;
  const listed = await relay.call("GET", "/importer/packages", { token });
  expect(listed.json.packages).toHaveLength(packages.length);
  for (const { package_id: id, files } of listed.json.packages) {
    expect(packages).toContain(id);
    expect((await relay.call("POST", `/importer/packages/${id}/take`, { token })).status).toBe(200);
    for (const path of Object.values<string>(files)) {
      expect((await relay.call("GET", path, { token })).status).toBe(200);
    }
  }
}

test("[Z10] a backup restored elsewhere has every package, every sound and the same instance", async () => {
  const { relay, importer, packages, run } = await relayWithSounds();
  const { folder: backup } = await run();
  const dataFolder = join(await emptyFolder(), "relay");
  const result = await restore({ backup, dataFolder });
  expect(result).toMatchObject({ replayed: 0, unreadableRemovals: 0, aside: undefined });
  const restored = await startOn(dataFolder);
  await expectWhole(restored, importer, packages);
  expect((await helloOf(restored)).instance).toBe((await helloOf(relay)).instance);
  expect(await readdir(dataFolder)).not.toContain("restore.part");
});

test("[Z10] a copy beside the original is an instance of its own", async () => {
  const { relay, importer, packages, run } = await relayWithSounds();
  const { folder: backup } = await run();
  const dataFolder = await emptyFolder();
  await restore({ backup, dataFolder, isNewInstance: true });
  const restored = await startOn(dataFolder);
  await expectWhole(restored, importer, packages);
  expect((await helloOf(restored)).instance).not.toBe((await helloOf(relay)).instance);
});

test("[Z11] revocations, unpairings, erasures and withdrawals since the backup are not undone", async () => {
  const { relay, token, importer, packages, run } = await relayWithSounds();
  const erased = await relay.register("Erased");
  const erasedApp = await relay.pair(erased);
  const revoked = await relay.pair(importer);
  const unpaired = await relay.pair(importer, { appId: "app-2" });
  const waiting = await relay.send(unpaired);
  const { folder: backup } = await run();

  await relay.call("POST", "/app/unpair", { token: revoked });
  const pairingId = await pairingOf(relay, unpaired);
  await relay.call("DELETE", `/importer/apps/${pairingId}`, { token: importer.token });
  await relay.call("DELETE", "/importer/me", { token: erased.token });
  await relay.call("DELETE", `/packages/${packages[1]}`, { token });
  await relay.stop();

  const result = await restore({ backup, dataFolder: relay.folder, isReplacing: true });
  expect(result.replayed).toBe(5);
  const restored = await startOn(relay.folder);
  const statusOf = async (one: string) =>
    (await restored.call("GET", "/app/me", { token: one })).status;
  expect(await Promise.all([token, revoked, unpaired, erasedApp].map(statusOf))).toEqual([
    200, 401, 401, 401,
  ]);
  expect((await restored.call("GET", "/importer/apps", { token: erased.token })).status).toBe(401);
  await expectWhole(restored, importer, packages.slice(0, 1));
  expect(await restored.relay.context.packages.find(waiting)).toBeUndefined();
});

async function pairingOf(relay: RunningRelay, token: string): Promise<string | undefined> {
  const { digest, pairings } = relay.relay.context;
  return (await pairings.findApp(digest.ofText(token)))?.pairingId;
}

test("[Z11] the log of a lost folder can be named, and the restored folder keeps it", async () => {
  const { relay, token, importer, packages, run } = await relayWithSounds();
  const { folder: backup } = await run();
  await relay.call("DELETE", `/packages/${packages[0]}`, { token });
  const removalsFile = join(relay.folder, "removals.log");
  const dataFolder = await emptyFolder();
  const missing = restore({ backup, dataFolder, removalsFile: `${removalsFile}.no` });
  await expect(missing).rejects.toThrow("There is no file");
  await restore({ backup, dataFolder, removalsFile });
  await expectWhole(await startOn(dataFolder), importer, packages.slice(1));
  const kept = await readFile(join(dataFolder, "removals.log"), "utf8");
  expect(kept).toBe(await readFile(removalsFile, "utf8"));
});

test("[Z10] a folder in use, or with data, is refused and not touched; --replace moves it aside", async () => {
  const { relay, importer, packages, run } = await relayWithSounds();
  const { folder: backup } = await run();
  const dataFolder = relay.folder;
  await expect(restore({ backup, dataFolder, isReplacing: true })).rejects.toThrow("is using");
  await relay.stop();
  const before = await readdir(dataFolder, { recursive: true });
  await expect(restore({ backup, dataFolder })).rejects.toThrow("add --replace");
  expect(await readdir(dataFolder, { recursive: true })).toEqual(before);

  const { aside = "" } = await restore({ backup, dataFolder, isReplacing: true });
  const asideNames = await readdir(aside, { recursive: true });
  expect(asideNames.filter((name) => name.includes("snd_"))).toHaveLength(3);
  expect(asideNames).toContain("relay.sqlite");
  await expectWhole(await startOn(dataFolder), importer, packages);
});

test("[Z10] a WAL whose database is gone is moved aside, so that it can't damage the restored one", async () => {
  const { importer, packages, run } = await relayWithSounds();
  const { folder: backup } = await run();
  const dataFolder = await emptyFolder();
  await writeFile(join(dataFolder, "relay.sqlite-wal"), "left over");
  await expect(restore({ backup, dataFolder })).rejects.toThrow("add --replace");
  await restore({ backup, dataFolder, isReplacing: true });
  await expectWhole(await startOn(dataFolder), importer, packages);
});

// Temporary folders are on one of these, and nearly every Linux has both.
const OTHER_DISK = ["/dev/shm", "/var/tmp"].find(
  (folder) => existsSync(folder) && statSync(folder).dev !== statSync(tmpdir()).dev,
);

test.skipIf(OTHER_DISK === undefined)(
  "[Z10] a folder whose sounds are on another disk is refused before anything is touched (needs a second disk)",
  async () => {
    const { run } = await relayWithSounds();
    const { folder: backup } = await run();
    const dataFolder = await emptyFolder();
    const sounds = await mkdtemp(join(OTHER_DISK ?? "", "soundferry-sounds-"));
    onTestFinished(() => rm(sounds, { recursive: true }));
    await symlink(sounds, join(dataFolder, "sounds"));
    await expect(restore({ backup, dataFolder })).rejects.toThrow("is on another disk");
    expect(await readdir(sounds)).toEqual([]);
  },
);

test.each([
  ["a changed sound", async (backup: string, sound: string) => writeFile(join(backup, sound), "x")],
  ["a lost sound", async (backup: string, sound: string) => rm(join(backup, sound))],
  ["a changed database", async (backup: string) => writeFile(join(backup, "relay.sqlite"), "x")],
])("[Z10] a backup with %s is refused before anything is touched", async (_name, damage) => {
  const { relay, run } = await relayWithSounds();
  const { folder: backup } = await run();
  const sounds = await readdir(join(backup, "sounds"), { recursive: true });
  await damage(backup, join("sounds", sounds.find((name) => name.includes("snd_")) ?? ""));
  await relay.stop();
  const before = await readdir(relay.folder, { recursive: true });
  const refused = restore({ backup, dataFolder: relay.folder, isReplacing: true });
  await expect(refused).rejects.toThrow(/damaged: 1 of its 4 files.*Use another backup/);
  expect(await readdir(relay.folder, { recursive: true })).toEqual(before);
});

test("[Z10] what is no backup, or names files elsewhere, is refused", async () => {
  const { run } = await relayWithSounds();
  const { folder: backup } = await run();
  const dataFolder = await emptyFolder();
  await expect(restore({ backup: dataFolder, dataFolder })).rejects.toThrow("is no whole backup");
  const path = join(backup, "backup.json");
  const manifest = JSON.parse(await readFile(path, "utf8"));
  manifest.files[1].path = "sounds/../../escape";
  await writeFile(path, JSON.stringify(manifest));
  await expect(restore({ backup, dataFolder })).rejects.toThrow("is no list of a backup");
});

test.each([{ bytes: -1 }, { bytes: 1e300 }, { path: "../relay.sqlite" }, { lost: [1] }])(
  "[Z10] a manifest with %j is no backup's",
  async ({ lost = [], ...change }) => {
    const folder = await emptyFolder();
    const database = { path: "relay.sqlite", bytes: 1, sha256: "ab" };
    const manifest = {
      format: "soundferry-backup/1",
      soundferry: "0.1.0",
      made_at: "2026-01-01T00:00:00Z",
      instance_id: null,
      files: [database, { ...database, ...change }],
      lost,
    };
    await writeFile(join(folder, "backup.json"), JSON.stringify(manifest));
    await expect(readManifest(folder)).rejects.toThrow("no list of a backup");
  },
);
