import {
  mkdir,
  readdir,
  readFile,
  rename,
  rm,
  stat,
  symlink,
  unlink,
  writeFile,
} from "node:fs/promises";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { expect, test } from "vitest";
import { MANIFEST_FILE, readManifest } from "../../../relay/operating/backup-manifest.ts";
import { digestOf } from "../../../relay/operating/copy-files.ts";
import { isHeldAt } from "../../../relay/domain/upkeep/deletion-hold.ts";
import type { RunningRelay } from "../running-relay.ts";
import { relayWithSounds, soundsIn } from "./backed-up-relay.ts";

const foldersIn = async (folder: string) =>
  (await readdir(folder, { withFileTypes: true }))
    .filter((entry) => entry.isDirectory())
    .map(({ name }) => name);

/** Checks whether deletions are held so many milliseconds from now. */
async function isHeldIn(ms: number, { relay }: RunningRelay): Promise<boolean> {
  const { clock, upkeep } = relay.context;
  return isHeldAt((await upkeep?.read())?.holds ?? [], clock.now() + ms);
}

test.each([false, true])(
  "[Z10] a backup of a running relay holds database and sounds, each with its hash (links: %s)",
  async (isLinked) => {
    const { relay, run } = await relayWithSounds();
    const { folder, ...counted } = await run({ isLinked });
    expect(counted).toMatchObject({ sounds: 3, lost: [], damaged: [], deleted: [] });
    expect(await soundsIn(folder)).toEqual(await soundsIn(relay.folder));
    const { files } = await readManifest(folder);
    expect(files).toHaveLength(4);
    for (const { path, ...digest } of files) {
      expect(await digestOf(join(folder, path))).toEqual(digest);
    }
    using database = new DatabaseSync(join(folder, "relay.sqlite"), { readOnly: true });
    expect(database.prepare("SELECT count(*) AS n FROM packages").get()).toEqual({ n: 2 });
    expect(database.prepare("SELECT * FROM deletion_holds").all()).toEqual([]);
    const [sound = ""] = await soundsIn(folder);
    const links = (await stat(join(folder, "sounds", sound))).nlink;
    expect(links).toBe(isLinked ? 2 : 1);
  },
);

test("[Z10] while a backup runs deletions are held, and not afterwards", async () => {
  const { relay, run } = await relayWithSounds();
  const held: boolean[] = [];
  const onProgress = () => {
    void isHeldIn(60_000, relay).then((isHeld) => held.push(isHeld));
  };
  await run({ onProgress });
  expect(held).toEqual([true, true, true]);
  expect(await isHeldIn(0, relay)).toBe(false);
});

test("[Z10] the hold of a backup that was killed on a clock that was ahead holds nothing, and the next one removes it", async () => {
  const { relay, run } = await relayWithSounds();
  const { clock } = relay.relay.context;
  using database = new DatabaseSync(join(relay.folder, "relay.sqlite"), { timeout: 5000 });
  const hold = database.prepare("INSERT INTO deletion_holds VALUES (?, ?)");
  hold.run("killed", clock.now() + 2 * 86_400_000);
  expect(await isHeldIn(0, relay)).toBe(false);
  await run();
  expect(database.prepare("SELECT * FROM deletion_holds").all()).toEqual([]);
});

test("[Z10] a sound that was lost before is named, and the backup is made", async () => {
  const { relay, run } = await relayWithSounds();
  const [sound = "", other = ""] = await soundsIn(relay.folder);
  await unlink(join(relay.folder, "sounds", sound));
  await writeFile(join(relay.folder, "sounds", other), "damaged");
  const { folder, lost, damaged } = await run();
  expect(lost).toEqual([sound]);
  expect(damaged).toEqual([other]);
  expect((await readManifest(folder)).lost).toEqual([sound]);
});

test("[Z10] an interrupted backup has no name, and the next one removes what is left of it", async () => {
  const { run, target } = await relayWithSounds();
  const stop = new AbortController();
  const stopped = run({ signal: stop.signal, onProgress: () => stop.abort() });
  await expect(stopped).rejects.toThrow("aborted");
  expect(await foldersIn(target)).toEqual([]);
  await mkdir(join(target, "2026-01-01T00-00-00.000Z.part"));
  await mkdir(join(target, "mine.part"));
  const { folder } = await run();
  expect((await foldersIn(target)).map((name) => join(target, name)).toSorted()).toEqual([
    folder,
    join(target, "mine.part"),
  ]);
});

test("[Z10] the newest backups are kept, and folders that are no backups too", async () => {
  const { run, target } = await relayWithSounds();
  const foreign = "2020-01-01T00-00-00.000Z";
  await mkdir(join(target, foreign));
  const first = await run({ keep: 2 });
  const second = await run({ keep: 2 });
  expect(second.deleted).toEqual([]);
  const third = await run({ keep: 2 });
  expect(third.deleted).toEqual([first.folder]);
  const names = (await foldersIn(target)).map((name) => join(target, name));
  expect(names.toSorted()).toEqual([join(target, foreign), second.folder, third.folder]);
});

test("[Z10] the backup just made is kept beside one named in the future, and other relays' backups too", async () => {
  const { run, target } = await relayWithSounds();
  const other = await relayWithSounds();
  const first = await run();
  const future = join(target, "2999-01-01T00-00-00.000Z");
  await rename(first.folder, future);
  const foreign = await other.run({ target });
  const { folder, deleted } = await run({ keep: 1 });
  expect(deleted).toEqual([future]);
  const names = (await foldersIn(target)).map((name) => join(target, name));
  expect(names.toSorted()).toEqual([foreign.folder, folder]);
});

test("[Z10] a target that leads into the data folder by a link is refused", async () => {
  const { relay, run, target } = await relayWithSounds();
  await mkdir(target, { recursive: true });
  await symlink(relay.folder, join(target, "link"));
  await expect(run({ target: join(target, "link", "new") })).rejects.toThrow("doesn't belong");
});

test("[Z10] two backups to one folder don't run at the same time", async () => {
  const { run } = await relayWithSounds();
  let second: Promise<unknown> | undefined;
  const onProgress = () => {
    second ??= expect(run()).rejects.toThrow("Another backup to");
  };
  await run({ onProgress });
  await second;
});

test("[Z10] a stopped relay can be backed up", async () => {
  const { relay, run } = await relayWithSounds();
  await relay.stop();
  const { folder, sounds } = await run();
  expect(sounds).toBe(3);
  expect(await readdir(folder)).toContain(MANIFEST_FILE);
});

test("[Z10] a folder without a database, or a target within the data folder, is refused", async () => {
  const { relay, run, target } = await relayWithSounds();
  await expect(run({ dataFolder: join(target, "no"), target })).rejects.toThrow(
    "There is no database at",
  );
  const inside = join(relay.folder, "backups");
  await expect(run({ target: inside })).rejects.toThrow(
    "doesn't belong into the relay's own folder",
  );
  await expect(run({ target: relay.folder })).rejects.toThrow("doesn't belong");
});

test("[Z10] a damaged database is not taken for a backup", async () => {
  const { relay, run, target } = await relayWithSounds();
  await relay.stop();
  const path = join(relay.folder, "relay.sqlite");
  const bytes = await readFile(path);
  bytes.fill(0xff, 8192, 40_960);
  await writeFile(path, bytes);
  await expect(run()).rejects.toThrow();
  expect(await foldersIn(target)).toEqual([]);
  await rm(relay.folder, { recursive: true });
});
