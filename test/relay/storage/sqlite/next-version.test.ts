import { mkdir, readdir, readFile, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { expect, onTestFinished, test } from "vitest";
import { backUp } from "../../../../relay/operating/back-up.ts";
import { checkRelay } from "../../../../relay/operating/check.ts";
import { restore } from "../../../../relay/operating/restore.ts";
import { findDatabase } from "../../../../relay/storage/sqlite/find-database.ts";
import { MIGRATIONS } from "../../../../relay/storage/sqlite/migrations.ts";
import { openForWriting } from "../../../../relay/storage/sqlite/open-database.ts";
import { relayWithSounds, soundsIn, startOn } from "../../operating/backed-up-relay.ts";
import { RunningRelay } from "../../running-relay.ts";
import {
  contractDatabase,
  expandDatabase,
  NEXT_MIGRATIONS,
  openAsNextVersion,
  schemaIn,
} from "./next-version.ts";
import { temporaryFolder } from "./open-sqlite.ts";

const COPY = `relay.sqlite.before-${NEXT_MIGRATIONS.length}`;

const copiesIn = async (folder: string) =>
  (await readdir(folder)).filter((name) => name.includes("before-")).toSorted();

async function folderOf(change: (folder: string) => void) {
  const folder = await temporaryFolder();
  onTestFinished(() => folder[Symbol.asyncDispose]());
  change(folder.path);
  return folder.path;
}

test("[K13] a relay serves a database to which a newer one has only added, and leaves what was added", async () => {
  await using relay = await RunningRelay.start();
  const before = await relay.paired();
  const waiting = await relay.send(before.token);
  await relay.stop();
  expandDatabase(relay.folder);
  const expanded = schemaIn(relay.folder);

  const older = await RunningRelay.start({ SOUNDFERRY_DATA: relay.folder });
  expect((await older.status(before.token, waiting)).status).toBe("waiting");
  const { importer, token } = await older.paired();
  const sent = await older.send(token);
  const results = { results: { 1: { status: "imported" } } };
  const path = `/importer/packages/${sent}`;
  for (const [call, body] of [
    ["take", {}],
    ["results", results],
  ] as const) {
    const answer = await older.call("POST", `${path}/${call}`, { token: importer.token, body });
    expect(answer.status, answer.text).toBe(200);
  }
  expect((await older.status(token, sent)).status).toBe("imported");
  await older.sweep();
  await older.stop();
  expect(schemaIn(relay.folder)).toEqual(expanded);
  expect(await copiesIn(relay.folder), "only the newer one made a copy").toEqual([COPY]);
});

test("[K13] check, backup and restore work on it too, while its relay runs", async () => {
  await using relay = await RunningRelay.start();
  const { importer, token } = await relay.paired();
  await relay.send(token, ["kick.wav", "pad.wav"]);
  await relay.stop();
  expandDatabase(relay.folder);
  const older = await RunningRelay.start({ SOUNDFERRY_DATA: relay.folder });
  const { mismatch, lost, unknown, soundCount } = await checkRelay(
    { dataFolder: relay.folder },
    { isRepairing: true },
  );
  expect([mismatch, lost, unknown, soundCount]).toEqual([undefined, [], [], 2]);
  const target = await folderOf(() => {});
  const { folder: backup } = await backUp({ dataFolder: relay.folder, target });
  await older.stop();
  const dataFolder = join(await folderOf(() => {}), "restored");
  await restore({ backup, dataFolder });
  expect(findDatabase(dataFolder)).toEqual(findDatabase(relay.folder));
  const restored = await RunningRelay.start({ SOUNDFERRY_DATA: dataFolder });
  const listed = await restored.call("GET", "/importer/packages", { token: importer.token });
  expect(listed.json.packages).toHaveLength(1);
  await restored.stop();
});

test("[K13] a database from which a newer one took what this one needs is refused and left as it is", async () => {
  const folder = await folderOf(contractDatabase);
  const contracted = schemaIn(folder);
  await expect(RunningRelay.start({ SOUNDFERRY_DATA: folder })).rejects.toThrow(
    "was written by a newer Soundferry. Update the relay, or give it another folder.",
  );
  const target = await folderOf(() => {});
  await expect(backUp({ dataFolder: folder, target })).rejects.toThrow("A newer Soundferry wrote");
  await expect(checkRelay({ dataFolder: folder })).rejects.toThrow("A newer Soundferry wrote");
  expect(schemaIn(folder)).toEqual(contracted);
});

/** The stopped relay's folder that a test gives to the next version, with a device, packages and sounds. */
async function stoppedRelay() {
  const cases = await relayWithSounds();
  await cases.relay.stop();
  return { ...cases, folder: cases.relay.folder };
}

/** Makes this version the next one until it is disposed. */
function becomeNextVersion(): Disposable {
  const now = MIGRATIONS.length;
  Object.assign(MIGRATIONS, NEXT_MIGRATIONS);
  return { [Symbol.dispose]: () => void Reflect.set(MIGRATIONS, "length", now) };
}

function packagesIn(path: string): unknown {
  using database = new DatabaseSync(path, { readOnly: true });
  return {
    version: database.prepare("PRAGMA user_version").get(),
    packages: database.prepare("SELECT package_id, uploaded FROM packages ORDER BY 1").all(),
  };
}

test("[K13] a migration keeps every row, and fills what it adds", async () => {
  const { folder, packages } = await stoppedRelay();
  const before = packagesIn(join(folder, "relay.sqlite"));
  using database = openAsNextVersion(folder);
  expect(packagesIn(join(folder, "relay.sqlite"))).toEqual({
    ...Object(before),
    version: { user_version: NEXT_MIGRATIONS.length },
  });
  expect(database.prepare("SELECT of_the_future FROM devices").all()).toEqual([
    { of_the_future: "old" },
  ]);
  const filled = database.prepare("SELECT * FROM packages WHERE of_the_future = announced_bytes");
  expect(filled.all()).toHaveLength(packages.length);
});

test("[Z12] a database is copied before it is migrated, and as it was", async () => {
  const { folder } = await stoppedRelay();
  const before = packagesIn(join(folder, "relay.sqlite"));
  openAsNextVersion(folder).close();
  const copy = join(folder, COPY);
  expect(packagesIn(copy)).toEqual(before);
  if (process.platform !== "win32") expect((await stat(copy)).mode & 0o777).toBe(0o600);
  const { mtimeMs } = await stat(copy);
  openAsNextVersion(folder).close();
  expect((await stat(copy)).mtimeMs, "a migrated database is not copied again").toBe(mtimeMs);
});

test("[Z12] a new database is not copied", async () => {
  const folder = await folderOf((path) => openAsNextVersion(path).close());
  expect(await copiesIn(folder)).toEqual([]);
});

test("[Z12] the last two copies are kept, and what a crash left of one is replaced", async () => {
  const folder = await folderOf((path) => openForWriting(path).close());
  const names = ["relay.sqlite.before-0", "relay.sqlite.before-1", `${COPY}.part`];
  for (const name of names) await writeFile(join(folder, name), "earlier");
  openAsNextVersion(folder).close();
  expect(await copiesIn(folder)).toEqual(["relay.sqlite.before-1", COPY]);
});

test("[Z12] a database that can't be copied is not migrated, and the sentence says what to do", async () => {
  const { folder } = await stoppedRelay();
  const before = packagesIn(join(folder, "relay.sqlite"));
  await mkdir(join(folder, COPY));
  expect(() => openAsNextVersion(folder)).toThrow(
    /can't be copied to .*before-\d+ first .* Nothing was changed\. Free some space/,
  );
  expect(packagesIn(join(folder, "relay.sqlite"))).toEqual(before);
  expect(await copiesIn(folder)).toEqual([COPY]);
});

test("[Z1] looking for the instance of an older database migrates nothing", async () => {
  const { folder } = await stoppedRelay();
  const before = await readFile(join(folder, "relay.sqlite"));
  using _ = becomeNextVersion();
  expect(findDatabase(folder)).toMatchObject({ instance: { isBound: true }, hasServed: true });
  expect((await readFile(join(folder, "relay.sqlite"))).equals(before)).toBe(true);
  expect(await copiesIn(folder)).toEqual([]);
});

test("[Z9] a check of an older database says to start the relay once", async () => {
  const { folder } = await stoppedRelay();
  using _ = becomeNextVersion();
  await expect(checkRelay({ dataFolder: folder })).rejects.toThrow("An older Soundferry");
});

test("[Z10] an older relay is backed up as it is once it is stopped, and its backup is updated by a restore", async () => {
  const { relay, packages, target } = await relayWithSounds();
  using next = new DisposableStack();
  next.use(becomeNextVersion());
  const options = { dataFolder: relay.folder, target };
  await expect(backUp(options)).rejects.toThrow("Stop it first.");
  await relay.stop();
  const sent = await soundsIn(relay.folder);
  const { folder: backup, sounds } = await backUp(options);
  expect(sounds).toBe(sent.length);
  expect(schemaIn(backup)).toEqual(schemaIn(relay.folder));

  const dataFolder = join(target, "restored");
  await restore({ backup, dataFolder });
  expect(schemaIn(dataFolder).version).toBe(NEXT_MIGRATIONS.length);
  expect(await soundsIn(dataFolder)).toEqual(sent);
  next.dispose();
  expect(findDatabase(dataFolder)).toEqual(findDatabase(relay.folder));
  const restored = await startOn(dataFolder);
  using database = openForWriting(restored.folder);
  expect(database.prepare("SELECT package_id FROM packages").all()).toHaveLength(packages.length);
});
