import type { DatabaseSync } from "node:sqlite";
import { setImmediate as nextTurn } from "node:timers/promises";
import { expect, test } from "vitest";
import { emptyInMemory, recordsIn } from "../../domain/sqlite-in-memory.ts";

/** A database with so many packages that wait, each committed a millisecond after the last. */
function databaseOf(count: number): DatabaseSync {
  const database = emptyInMemory();
  database.exec(`
    INSERT INTO devices (device_id, device_name, token_hash, registered_at, last_seen_at)
      VALUES ('dev_1', 'Studio', 'hash', 0, 0);
    WITH RECURSIVE numbers (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM numbers WHERE n < ${count})
    INSERT INTO packages (package_id, device_id, app_id, app_name, created_at, announced_bytes,
      missing_bytes, upload_ends_at, committed_at, wait_ends_at, outcome, files_end_at, files_deleted,
      uploaded, room_held_until, room_tiers, version)
    SELECT 'pkg_' || n, 'dev_1', 'app', 'App', 0, 1, 0, 1000, 500 + n, 1000000, NULL,
      CASE WHEN n % 2 = 0 THEN 10 ELSE 1000000 END, 0, '[]', 0, '[]', 1 FROM numbers`);
  return database;
}

test("[K9] counting many packages keeps nobody waiting, and counts each once", async () => {
  const database = databaseOf(20_001);
  let turns = 0;
  const over = new AbortController();
  const turning = (async () => {
    for (; !over.signal.aborted; turns += 1) await nextTurn();
  })();
  const { counts, oldestWaitingAt } =
    (await recordsIn(database).packages.count?.(20)) ?? expect.fail();
  over.abort();
  await turning;
  expect(counts).toMatchObject({ waiting: 10_001, expired: 10_000, uploading: 0 });
  expect(oldestWaitingAt).toBe(501);
  expect(turns).toBeGreaterThanOrEqual(10);
  database.close();
});
