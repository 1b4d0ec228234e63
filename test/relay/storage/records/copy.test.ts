import { expect, test } from "vitest";
import { compareRows } from "../../../../relay/operating/moving/move-rows.ts";
import { COPIED_TABLES, countRows, readRows } from "../../../../relay/storage/records/copy.ts";
import { allTables, TABLES } from "../../../../relay/storage/records/tables.ts";
import { begin, copyAll, dump, fill, sqliteOfTest } from "./copied-database.ts";

test("[SC21] each table of a data folder is copied, or says why it isn't", async () => {
  const { raw } = await sqliteOfTest();
  const tables = raw
    .prepare("SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite_%'")
    .all()
    .map(({ name }) => String(name));
  // Removals are on their way to `removals.log`, which stays with the folder and its backups.
  expect(tables.toSorted()).toEqual([...Object.keys(TABLES), "removals"].toSorted());
  const left = allTables().filter(([, { notCopied }]) => notCopied !== undefined);
  expect(left.map(([name]) => name)).toEqual([
    "device_locks",
    "app_counts",
    "room_counts",
    "upkeep",
    "deletion_holds",
  ]);
});

test("[SC21] every value of every row is the same after a copy", async () => {
  const [here, there] = [await sqliteOfTest(), await sqliteOfTest()];
  fill(here.raw, 503);
  expect(await copyAll(here.engine, there.engine)).toEqual([]);
  const copied = dump(there.raw);
  const { device_locks: devices, app_counts: apps, room_counts: rooms, ...rows } = copied;
  const counted = { device_locks: undefined, app_counts: undefined, room_counts: undefined };
  expect(rows).toEqual({ ...dump(here.raw), ...counted });
  for (const table of COPIED_TABLES) expect(rows[table]).toHaveLength(503);
  expect(devices).toHaveLength(503);
  // Package 2 waits and holds room, package 3 was imported and has partials.
  const counts = { waiting_packages: 0, stored_bytes: 0, reserved_bytes: 0, spare_bytes: 0 };
  const waiting = { waiting_packages: 1, reserved_bytes: 1_700_000_000_002 };
  const of = (device_id: string, more: object) =>
    expect.objectContaining({ ...counts, device_id, ...more });
  expect(apps).toContainEqual(of("dev_2", waiting));
  expect(apps).toContainEqual(of("dev_3", { stored_bytes: 3 }));
  const tiers = ["192.0.2.0/24", "192.0.2.1", "192.0.2.2", "~0"];
  expect(rooms).toMatchObject(tiers.map((tier) => ({ tier })));
});

test("[SC22] of two programs that copy at the same time, one stops", async () => {
  const [here, there] = [await sqliteOfTest(), await sqliteOfTest()];
  fill(here.raw, 2);
  const state = await begin(there.engine);
  const rows = await here.engine.read(readRows("devices"));
  const next = { ...state, after: ["dev_1"] };
  const change = { table: "devices", rows, state, next } as const;
  expect(await there.engine.change("copyRows", change)).toBe(true);
  expect(await there.engine.change("copyRows", change)).toBe(false);
  expect((await there.engine.read(countRows())).get("devices")).toBe(2);
});

test("[SC21] a comparison finds a missing row, one too many, and another value", async () => {
  const [here, there] = [await sqliteOfTest(), await sqliteOfTest()];
  fill(here.raw, 3);
  await copyAll(here.engine, there.engine);
  there.raw.exec("DELETE FROM switches WHERE name LIKE 'name 1%'");
  there.raw.exec("INSERT INTO announcements SELECT * FROM announcements LIMIT 1");
  there.raw.exec("UPDATE operator_log SET detail = 'other' WHERE seq = 4");
  const moving = { from: here.engine, to: there.engine, dropped: new Set<string>(), onRows() {} };
  expect(await compareRows(moving)).toEqual([
    "announcements: 3 rows here, 4 there, and not the same",
    "switches: 3 rows here, 2 there, and not the same",
    "operator_log: 3 rows here, 3 there, and not the same",
  ]);
});

test("[SC21] numbers that must not come again continue after the last one, even if its row is gone", async () => {
  const [here, there] = [await sqliteOfTest(), await sqliteOfTest()];
  fill(here.raw, 3);
  here.raw.exec("DELETE FROM operator_log");
  await copyAll(here.engine, there.engine);
  const insert =
    "INSERT INTO operator_log (at, who, action, subject) VALUES (1, 'a', 'b', 'c') RETURNING seq";
  expect(there.raw.prepare(insert).get()).toEqual({ seq: 8 });
});
