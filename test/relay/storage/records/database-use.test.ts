import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { expect, test } from "vitest";
import { StoreBusyError } from "../../../../relay/domain/ports.ts";
import { SqliteDatabase } from "../../../../relay/storage/sqlite/sqlite-database.ts";
import { startWriterInside } from "../../writer-inside.ts";
import { temporaryFolder } from "../sqlite/open-sqlite.ts";

const IF_USED = { onlyIfUsed: true };

test("[Z17] a write that only follows use is made after a change, after one that failed, and not else", async () => {
  await using folder = await temporaryFolder();
  const options = { busyTimeoutMs: 1, startWriter: startWriterInside };
  await using database = await SqliteDatabase.open(folder.path, options);
  const { upkeep, pairings } = database;
  const kept = async (time: number) => {
    await upkeep.keep({ time }, IF_USED);
    return (await upkeep.read()).time;
  };
  expect(await kept(1)).toBe(1);
  expect(await kept(2)).toBe(1);

  await pairings.noteSeen({ devices: new Map([["dev_1", 5]]), pairings: new Map() });
  expect(await kept(3)).toBe(1);
  await upkeep.keep({ isScrubHalted: true });
  expect(await kept(4)).toBe(4);
  await upkeep.tryChange(IF_USED);
  expect(await kept(5)).toBe(4);

  using other = new DatabaseSync(join(folder.path, "relay.sqlite"));
  other.exec("BEGIN IMMEDIATE");
  await expect(upkeep.tryChange()).rejects.toThrow(StoreBusyError);
  other.exec("ROLLBACK");
  expect(await kept(6)).toBe(6);
  other.exec("PRAGMA user_version = 77");
  expect(await kept(7)).toBe(7);
  expect(await kept(8)).toBe(7);
});
