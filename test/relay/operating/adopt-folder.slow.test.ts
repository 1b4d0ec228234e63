import { cp, readFile, rename, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, test } from "vitest";
import { InstanceMismatch } from "../../../relay/domain/upkeep/instance-mismatch.ts";
import { FolderInUseError } from "../../../relay/index.ts";
import { adoptFolder } from "../../../relay/operating/adopt.ts";
import { RunningRelay } from "../running-relay.ts";
import { instanceOf, soundsIn, stoppedRelay } from "../stopped-relay.ts";

async function keysIn(data: string): Promise<readonly string[]> {
  return Object.keys(await soundsIn(data)).filter((path) => path !== "/instance");
}

/** A copy of the data as a kill leaves them, with a package that is only in the log. */
async function killedCopy({ data, settings, token }: Awaited<ReturnType<typeof stoppedRelay>>) {
  const relay = await RunningRelay.start(settings);
  const id = await relay.send(token);
  const copy = join(data, "..", "killed");
  await cp(data, copy, { recursive: true });
  await relay.stop();
  for (const name of ["relay.lock", "relay.sqlite-shm"]) await rm(join(copy, name));
  return {
    id,
    data: copy,
    database: join(copy, "relay.sqlite"),
    settings: { SOUNDFERRY_DATA: copy },
  };
}

describe.concurrent("adopting", () => {
  test("[Z1] without its database, all sounds go into the quarantine, and back once the database is back", async ({
    expect,
  }) => {
    await using own = await stoppedRelay(["bass.wav", "kick.wav"]);
    const { data, database, settings, instance, aside } = own;
    const before = await soundsIn(data);
    await rename(database, aside);
    const emptied = await adoptFolder(data);
    expect(emptied).toMatchObject({ putBack: 0, quarantined: { sounds: 2 }, lost: [] });
    expect(emptied?.instanceId).not.toBe(instance);
    expect(await keysIn(data)).toEqual([]);
    expect(await adoptFolder(data)).toBeUndefined();
    const fresh = await RunningRelay.start(settings);
    expect(await instanceOf(fresh)).toBe(emptied?.instanceId);
    await fresh.sweep();
    await fresh.stop();

    for (const end of ["", "-wal", "-shm"]) await rm(database + end, { force: true });
    await rename(aside, database);
    await expect(RunningRelay.start(settings)).rejects.toThrow(InstanceMismatch);
    expect(await adoptFolder(data)).toEqual({
      instanceId: instance,
      putBack: 2,
      quarantined: { sounds: 0, bytes: 0 },
      lost: [],
      setAside: [],
    });
    expect(await soundsIn(data)).toEqual(before);
    await using relay = await RunningRelay.start(settings);
    expect(await instanceOf(relay)).toBe(instance);
    expect((await relay.status(own.token, own.id)).status).toBe("waiting");
  });

  test("[Z1] the log of a database that was moved away is set aside, not deleted", async ({
    expect,
  }) => {
    await using own = await stoppedRelay(["kick.wav"]);
    const killed = await killedCopy(own);
    await rename(killed.database, own.aside);
    const log = await readFile(`${killed.database}-wal`);
    await expect(RunningRelay.start(killed.settings)).rejects.toThrow(InstanceMismatch);
    const { setAside = [] } = (await adoptFolder(killed.data)) ?? {};
    expect(setAside).toEqual([expect.stringMatching(/^relay\.sqlite-wal\.before-adopt-\d/)]);
    const [name = ""] = setAside;
    expect((await readFile(join(killed.data, name))).equals(log)).toBe(true);

    await rm(`${killed.database}-wal`, { force: true });
    await rename(own.aside, killed.database);
    await rename(join(killed.data, name), `${killed.database}-wal`);
    await adoptFolder(killed.data);
    await using relay = await RunningRelay.start(killed.settings);
    expect((await relay.status(own.token, killed.id)).status).toBe("waiting");
  });

  test("[Z1] without its sounds, their packages list them as missing, and the id stays", async ({
    expect,
  }) => {
    await using own = await stoppedRelay(["bass.wav", "kick.wav"]);
    await rm(join(own.data, "sounds"), { recursive: true });
    const adoption = await adoptFolder(own.data);
    expect(adoption).toMatchObject({ instanceId: own.instance, quarantined: { sounds: 0 } });
    const [lost, ...others] = adoption?.lost ?? [];
    expect(lost?.packageId).toBe(own.id);
    expect([...(lost?.files.keys() ?? [])]).toEqual(["bass.wav", "kick.wav"]);
    expect(others).toEqual([]);
    await using relay = await RunningRelay.start(own.settings);
    const { files } = await relay.status(own.token, own.id);
    expect(files).toEqual({ "bass.wav": "missing", "kick.wav": "missing" });
  });

  test("[Z1] the sounds of another relay are quarantined, its own ones are lost", async ({
    expect,
  }) => {
    await using own = await stoppedRelay(["kick.wav"]);
    await using other = await stoppedRelay(["snare.wav"]);
    await rm(join(own.data, "sounds"), { recursive: true });
    await rename(join(other.data, "sounds"), join(own.data, "sounds"));
    const adoption = await adoptFolder(own.data);
    expect(adoption).toMatchObject({ instanceId: own.instance, quarantined: { sounds: 1 } });
    expect(adoption?.lost).toHaveLength(1);
    await using relay = await RunningRelay.start(own.settings);
    expect(await instanceOf(relay)).toBe(own.instance);
  });

  test("[Z1] sounds whose marker is gone are adopted as they are", async ({ expect }) => {
    await using own = await stoppedRelay(["kick.wav"]);
    const before = await soundsIn(own.data);
    await rm(join(own.data, "sounds", "instance"));
    expect(await adoptFolder(own.data)).toMatchObject({ quarantined: { sounds: 0 }, lost: [] });
    expect(await soundsIn(own.data)).toEqual(before);
  });

  test("[Z1] what a relay can start on is left alone, and what a relay uses is refused", async ({
    expect,
  }) => {
    await using own = await stoppedRelay(["kick.wav"]);
    const before = await readFile(own.database);
    expect(await adoptFolder(own.data)).toBeUndefined();
    expect(await readFile(own.database)).toEqual(before);
    await using _relay = await RunningRelay.start(own.settings);
    await expect(adoptFolder(own.data)).rejects.toThrow(FolderInUseError);
  });

  test("[Z1] a damaged database is not replaced", async ({ expect }) => {
    await using own = await stoppedRelay(["kick.wav"]);
    for (const end of ["-wal", "-shm"]) await rm(own.database + end, { force: true });
    const damaged = Buffer.alloc(8192, "no database");
    await writeFile(own.database, damaged);
    const before = await soundsIn(own.data);
    for (const act of [() => adoptFolder(own.data), () => RunningRelay.start(own.settings)]) {
      await expect(act()).rejects.toThrow("is not a database. Restore a backup");
    }
    expect(await readFile(own.database)).toEqual(damaged);
    expect(await soundsIn(own.data)).toEqual(before);
  });
});
