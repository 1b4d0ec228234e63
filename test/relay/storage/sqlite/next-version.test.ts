import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { backUp } from "../../../../relay/operating/back-up.ts";
import { check } from "../../../../relay/operating/check.ts";
import { restore } from "../../../../relay/operating/restore.ts";
import { findDatabase } from "../../../../relay/storage/sqlite/find-database.ts";
import { RunningRelay } from "../../running-relay.ts";
import { contractDatabase, expandDatabase, schemaIn } from "./next-version.ts";
import { temporaryFolder } from "./open-sqlite.ts";

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
  expect((await readdir(relay.folder)).filter((name) => name.includes("before-"))).toEqual([]);
});

test("[K13] check, backup and restore work on it too, while its relay runs", async () => {
  await using relay = await RunningRelay.start();
  const { importer, token } = await relay.paired();
  await relay.send(token, ["kick.wav", "pad.wav"]);
  await relay.stop();
  expandDatabase(relay.folder);
  const older = await RunningRelay.start({ SOUNDFERRY_DATA: relay.folder });
  const { mismatch, lost, unknown, soundCount } = await check({
    dataFolder: relay.folder,
    isRepairing: true,
  });
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
  await expect(check({ dataFolder: folder })).rejects.toThrow("A newer Soundferry wrote");
  expect(schemaIn(folder)).toEqual(contracted);
});
