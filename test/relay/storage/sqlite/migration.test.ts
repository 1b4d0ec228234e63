import { copyFile } from "node:fs/promises";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { describe, expect, test } from "vitest";
import { openForWriting } from "../../../../relay/storage/sqlite/open-database.ts";
import { newColumnsOf } from "../../../../relay/storage/rows.ts";
import { MIGRATIONS } from "../../../../relay/storage/sqlite/schema.ts";
import { SqliteDatabase } from "../../../../relay/storage/sqlite/sqlite-database.ts";
import {
  committed,
  HOUR,
  insert,
  packageOf,
  T0,
} from "../../../../relay/testing/records/sample-records.ts";
import { temporaryFolder } from "./open-sqlite.ts";
import { wrongCounters } from "./plain-counts.ts";

const UPLOADED = new Map([["sound 1.wav", "half/1"]]);
const PACKAGES = [
  committed(packageOf("waits", { sizes: [100] }), T0),
  packageOf("half", { sizes: [30, 20], uploaded: UPLOADED }),
  { ...committed(packageOf("done", { deviceId: "device-2", sizes: [7] }), T0), filesDeleted: true },
];

/** A folder with a database as 0.1.0 wrote it: two devices, three packages and their announcements. */
async function oldFolder() {
  const folder = await temporaryFolder();
  using database = new DatabaseSync(join(folder.path, "relay.sqlite"));
  database.exec(`${MIGRATIONS[0]}; PRAGMA user_version = 1`);
  const into = (table: string, row: Record<string, string | number | null>) => {
    const names = Object.keys(row);
    const marks = names.map((name) => `:${name}`).join(", ");
    database.prepare(`INSERT INTO ${table} (${names.join(", ")}) VALUES (${marks})`).run(row);
  };
  for (const device_id of ["device-1", "device-2"]) {
    const seen = { registered_at: T0, last_seen_at: T0 };
    into("devices", { device_id, device_name: "Old", token_hash: device_id, ...seen });
  }
  for (const record of PACKAGES) {
    const { room_held_until: _until, room_tiers: _tiers, ...columns } = newColumnsOf(record);
    into("packages", columns);
    into("manifests", {
      package_id: record.packageId,
      manifest: JSON.stringify(record.manifest),
    });
  }
  const announcement = { device_id: "device-1", app_id: "app-1", address: "192.0.2.1" };
  for (const [hour, bytes] of [
    [2, 20],
    [1, 10],
    [3, 30],
  ] as const) {
    into("announcements", { ...announcement, bytes, at: T0 + hour * HOUR });
  }
  into("announcements", { ...announcement, address: "192.0.2.2", bytes: 5, at: T0 });
  return folder;
}

describe("an old database", () => {
  test("[J4] gets its counters from what it holds", async () => {
    await using folder = await oldFolder();
    using database = openForWriting(folder.path);
    expect(wrongCounters(database)).toEqual([]);
    expect(
      database
        .prepare(
          "SELECT waiting_packages AS w, announced_bytes AS b, stored_bytes AS s FROM devices",
        )
        .all(),
    ).toEqual([
      { w: 1, b: 150, s: 130 },
      // Its only package has no files any more, so it takes no room (rule Z5).
      { w: 0, b: 0, s: 0 },
    ]);
    // What it lacks holds no room until its upload asks for it (rule U6).
    const totals = [{ id: 1, missing_bytes: 20, reserved_bytes: 0 }];
    expect(database.prepare("SELECT * FROM totals").all()).toEqual(totals);
    expect(
      database.prepare("SELECT bytes, total FROM announcements ORDER BY address, at").all(),
    ).toEqual([
      { bytes: 10, total: 10 },
      { bytes: 20, total: 30 },
      { bytes: 30, total: 60 },
      { bytes: 5, total: 5 },
    ]);
  });

  test("[L4] goes on to limit the bytes of an address", async () => {
    await using folder = await oldFolder();
    await using records = await SqliteDatabase.open(folder.path);
    const announce = (id: string, bytes: number) =>
      insert(records, packageOf(id, { sizes: [bytes], createdAt: T0 + 4 * HOUR }), {
        quotas: { bytesPerAddressPerDay: 100 },
      });
    const freeAt = T0 + 26 * HOUR;
    expect(await announce("too large", 65)).toEqual({ kind: "address-limit", freeAt });
    expect(await announce("fits", 40)).toEqual({ kind: "inserted" });
  });

  test("[J2] dooms what an interrupted deletion may have left, and nothing that a package holds", async () => {
    await using folder = await oldFolder();
    await using records = await SqliteDatabase.open(folder.path);
    const { pairings, soundKeys } = records;
    expect(await soundKeys.listDoomed({ limit: 10 })).toEqual(["done/snd_1"]);
    await expect(soundKeys.addPending("half/1", T0)).rejects.toThrow("half/1 is in use");
    const { doomed } = await pairings.removeDevice("device-1");
    expect(doomed.toSorted()).toEqual(["half/1", "waits/snd_1"]);
    const all = ["done/snd_1", "half/1", "waits/snd_1"];
    expect(await soundKeys.listDoomed({ limit: 10 })).toEqual(all);
  });

  test("of 0.1.0 opens with the same packages", async () => {
    await using folder = await temporaryFolder();
    const path = join(folder.path, "relay.sqlite");
    await copyFile(
      join(import.meta.dirname, "../../../../fixtures/data-0.1.0/relay/relay.sqlite"),
      path,
    );
    const idsIn = (database: DatabaseSync) =>
      database.prepare("SELECT package_id, version, uploaded FROM packages ORDER BY 1").all();
    using before = new DatabaseSync(path, { readOnly: true });
    const ids = idsIn(before);
    before.close();
    expect(ids.length).toBeGreaterThan(3);
    using database = openForWriting(folder.path);
    expect(idsIn(database)).toEqual(ids);
    expect(wrongCounters(database)).toEqual([]);
  });
});
