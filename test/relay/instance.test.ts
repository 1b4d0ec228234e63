import { cp, mkdir, readdir, readFile, rename, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, test } from "vitest";
import { InstanceMismatch } from "../../relay/domain/upkeep/instance-mismatch.ts";
import { openForWriting } from "../../relay/storage/sqlite/open-database.ts";
import { importerCall } from "./http/importer-call.ts";
import { RunningRelay } from "./running-relay.ts";
import { FILES, instanceOf, soundsIn, stoppedRelay } from "./stopped-relay.ts";
import { temporaryFolder } from "./storage/sqlite/open-sqlite.ts";

describe.concurrent("D1: before a start", () => {
  test.for([
    ["missing", async () => {}],
    ["empty", (database: string) => writeFile(database, "")],
    [
      "another relay's",
      async (database: string) => {
        await using other = await stoppedRelay();
        await rename(other.database, database);
      },
    ],
    [
      "new",
      async (database: string) => {
        await using other = await temporaryFolder();
        await (await RunningRelay.start({ SOUNDFERRY_DATA: other.path })).stop();
        await rename(join(other.path, "relay.sqlite"), database);
      },
    ],
  ] as const)(
    "[Z1] with the database %s, the relay refuses to start and changes nothing, and serves once it is back",
    async ([, exchange], { expect }) => {
      await using own = await stoppedRelay();
      const { data, database, settings, importer, token, id } = own;
      const before = await soundsIn(data);
      expect(Object.keys(before)).toHaveLength(FILES.length + 1);
      await rename(database, own.aside);
      await exchange(database);
      const names = (await readdir(data)).toSorted();
      await expect(RunningRelay.start(settings)).rejects.toThrow(InstanceMismatch);
      await expect(RunningRelay.start(settings)).rejects.toThrow(InstanceMismatch);
      expect(await soundsIn(data)).toEqual(before);
      expect((await readdir(data)).toSorted()).toEqual(names);

      await rename(own.aside, database);
      await using relay = await RunningRelay.start(settings);
      expect(await soundsIn(data)).toEqual(before);
      expect((await relay.status(token, id)).status).toBe("waiting");
      const { take, list } = importerCall(relay, importer.token, id);
      await take();
      const [listed] = await list();
      for (const file of FILES) {
        const got = await relay.call("GET", listed.files[file], { token: importer.token });
        expect(got.status).toBe(200);
      }
    },
  );

  test("[Z1] a database without an id beside sounds with one is refused, and nothing is changed", async ({
    expect,
  }) => {
    await using own = await stoppedRelay(["kick.wav"]);
    await rm(own.database);
    openForWriting(own.data).close();
    const names = (await readdir(own.data)).toSorted();
    const database = await readFile(own.database);
    await expect(RunningRelay.start(own.settings)).rejects.toThrow(InstanceMismatch);
    expect((await readFile(own.database)).equals(database)).toBe(true);
    expect((await readdir(own.data)).toSorted()).toEqual(names);
  });

  test("[Z1] an older database has the same id, and the relay starts", async ({ expect }) => {
    await using own = await stoppedRelay(["kick.wav"]);
    await cp(own.database, own.aside);
    const relay = await RunningRelay.start(own.settings);
    const later = await relay.send(own.token, ["snare.wav"]);
    await relay.stop();
    const before = await soundsIn(own.data);
    for (const end of ["", "-wal", "-shm"]) await rm(own.database + end, { force: true });
    await rename(own.aside, own.database);
    await using again = await RunningRelay.start(own.settings);
    expect(await instanceOf(again)).toBe(own.instance);
    await again.sweep();
    expect(
      (await again.call("GET", `/packages/${later}/status`, { token: own.token })).status,
    ).toBe(404);
    expect(await soundsIn(own.data)).toEqual(before);
  });

  test.for([
    ["gone", async () => {}],
    ["new and empty", (sounds: string) => mkdir(sounds)],
    [
      "another relay's",
      async (sounds: string) => {
        await using other = await stoppedRelay(["kick.wav"]);
        await rename(join(other.data, "sounds"), sounds);
      },
    ],
  ] as const)(
    "[Z1] with the sounds %s, the relay refuses to start, and serves once they are back",
    async ([, exchange], { expect }) => {
      await using own = await stoppedRelay(["kick.wav"]);
      const sounds = join(own.data, "sounds");
      const before = await soundsIn(own.data);
      await rename(sounds, own.aside);
      await exchange(sounds);
      await expect(RunningRelay.start(own.settings)).rejects.toThrow(InstanceMismatch);
      await rm(sounds, { recursive: true });
      await rename(own.aside, sounds);
      await using relay = await RunningRelay.start(own.settings);
      expect((await relay.status(own.token, own.id)).files).toEqual({ "kick.wav": "uploaded" });
      expect(await soundsIn(own.data)).toEqual(before);
    },
  );
});

test("[Z1][I4] hello names the instance, the same after a restart, and another one for another relay", async ({
  expect,
}) => {
  await using own = await stoppedRelay(["kick.wav"]);
  await using other = await stoppedRelay(["kick.wav"]);
  expect(own.instance).toMatch(/^ins_[\w-]{22}$/);
  expect(other.instance).not.toBe(own.instance);
  await using relay = await RunningRelay.start(own.settings);
  expect(await instanceOf(relay)).toBe(own.instance);
});
