import { fork } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { setTimeout as sleep } from "node:timers/promises";
import { expect, test, vi } from "vitest";
import { openForWriting } from "../../../../relay/storage/sqlite/open-database.ts";
import { SqliteDatabase } from "../../../../relay/storage/sqlite/sqlite-database.ts";
import {
  insert,
  packageOf,
  register,
  T0,
} from "../../../contracts/relay/records/sample-records.ts";
import type { Ask } from "./child-process.ts";
import { NEXT_MIGRATIONS, schemaIn } from "./next-version.ts";
import { temporaryFolder } from "./open-sqlite.ts";
import { soon } from "../../../sim/soon.ts";
import { until } from "../../../sim/until.ts";

/** Another process that has the folder's database open. Its end while it is awaited is an error. */
async function openElsewhere(folder: string) {
  const child = fork(join(import.meta.dirname, "child-process.ts"), [folder]);
  const ended = once(child, "exit");
  const endedEarly = ended.then(([code, signal]): never => {
    throw new Error(`The other process ended with code ${code}, signal ${signal}.`);
  });
  // At its intended end nobody waits for a message.
  endedEarly.catch(() => {});
  const nextMessage = async (): Promise<unknown> => {
    const [message] = await Promise.race([once(child, "message"), endedEarly]);
    return message;
  };
  expect(await nextMessage()).toBe("open");
  return {
    ask: (ask: Ask): Promise<unknown> => {
      const answered = nextMessage();
      child.send(ask);
      return answered;
    },
    [Symbol.asyncDispose]: async () => {
      if (child.connected) child.disconnect();
      // It ends without a signal: nothing of a closed database keeps a process alive.
      expect(await ended).toEqual([0, null]);
    },
  };
}

test("[J7] what another process changes is noticed, and no cached record outlives it", async () => {
  await using folder = await temporaryFolder();
  await using records = await SqliteDatabase.open(folder.path);
  await using elsewhere = await openElsewhere(folder.path);
  await register(records, "device-1");
  await insert(records, packageOf("pkg_1"));
  const before = await records.packages.find("pkg_1");
  let noticed = 0;
  const stop = records.changes.watch(() => (noticed += 1));

  expect(await elsewhere.ask({ call: "lease", packageId: "pkg_1", runId: "run" })).toBe("updated");
  await soon(() => noticed).toBeGreaterThan(0);
  const after = await records.packages.find("pkg_1");
  expect(after).toMatchObject({ version: 2, life: { lease: { runId: "run" } } });

  stop();
  const heard = noticed;
  const next = vi.fn<() => void>();
  records.changes.watch(next);
  await elsewhere.ask({ call: "rename", deviceId: "device-1", deviceName: "Attic" });
  await until(() => expect(next).toHaveBeenCalled());
  expect(noticed).toBe(heard);
  expect(await records.pairings.findDevice("device-1-token")).toMatchObject({
    deviceName: "Attic",
  });
  expect(before).toMatchObject({ version: 1 });
});

test("[J7] a change is noticed while the relay waits for another process's lock", async () => {
  await using folder = await temporaryFolder();
  await using records = await SqliteDatabase.open(folder.path);
  await register(records, "device-1");
  using tool = new DatabaseSync(join(folder.path, "relay.sqlite"));
  const noticed = new Promise<void>((resolve) => {
    records.changes.watch(() => resolve());
  });
  tool.exec("UPDATE devices SET device_name = 'Attic'; BEGIN IMMEDIATE");
  const written = records.soundKeys.addPending("pkg_1/1", T0);
  // The write fails if the lock lasts too long.
  await Promise.all([noticed.then(() => tool.exec("COMMIT")), written]);
});

test("[J5] a process that commits without a break leaves gaps for another one", async () => {
  await using folder = await temporaryFolder();
  await using busy = await SqliteDatabase.open(folder.path);
  await using records = await SqliteDatabase.open(folder.path);
  const done = new AbortController();
  let written = 0;
  const load = Array.from({ length: 32 }, async () => {
    while (!done.signal.aborted) await busy.soundKeys.addPending(`busy/${(written += 1)}`, T0);
  });
  try {
    for (let index = 0; index < 50; index += 1) {
      await records.soundKeys.addPending(`other/${index}`, T0);
    }
  } finally {
    done.abort();
    await Promise.all(load);
  }
  await records.soundKeys.doom({ endedBy: T0 });
  expect(await busy.soundKeys.list({ state: "doomed", limit: 100_000 })).toHaveLength(written + 50);
});

test("[J7] of many that open a folder at once, one creates the database", async () => {
  await using folder = await temporaryFolder();
  const database = new DatabaseSync(join(folder.path, "relay.sqlite"));
  database.exec("PRAGMA journal_mode = WAL; BEGIN IMMEDIATE");
  const opening = Array.from({ length: 8 }, () => SqliteDatabase.open(folder.path));
  // Nothing tells when they all wait for this lock; it must only be long enough for most of them.
  await sleep(300);
  database.close();

  const opened = await Promise.all(opening);
  for (const [index, records] of opened.entries()) {
    await register(records, `device-${index}`);
    await records[Symbol.asyncDispose]();
  }
  await using records = await SqliteDatabase.open(folder.path);
  expect(await records.pairings.listDevices({ unseenSince: T0 + 1 })).toHaveLength(8);
});

test("[K13][Z12] of many that open an older database at once, one migrates it", async () => {
  await using folder = await temporaryFolder();
  const database = openForWriting(folder.path);
  database.exec("BEGIN IMMEDIATE");
  const children = Array.from({ length: 8 }, () =>
    fork(join(import.meta.dirname, "next-version-child.ts"), [folder.path]),
  );
  const ended = children.map((child) => once(child, "exit"));
  await Promise.all(children.map((child) => once(child, "message")));
  database.close();
  expect((await Promise.all(ended)).map(([code]) => code as unknown)).toEqual(Array(8).fill(0));
  expect(schemaIn(folder.path).version).toBe(NEXT_MIGRATIONS.length);
});
