import assert from "node:assert/strict";
import type { PackageRecord } from "../../domain/ports.ts";
import { one, type OpenedRecords } from "./records-case.ts";
import { DAY, HOUR, MINUTE, T0, committed, packageOf, put, register } from "./sample-records.ts";

/** What `PackageRecords` promises of its lists (rules I1, S4, S5). */
export const LIST_CASES = [
  one(
    "[I1] lists a device's committed packages whose files exist, newest commit first",
    async (records) => {
      await register(records, "device-1");
      await register(records, "device-2");
      const end = T0 + 5 * MINUTE + DAY;
      const ended = committed(packageOf("ended"), T0 + 5 * MINUTE);
      const imported = { ...ended.life, committedAt: T0 + 8 * MINUTE, waitEndsAt: end + 1 };
      const oldest = await put(records, committed(packageOf("oldest"), T0 + 6 * MINUTE));
      await put(records, committed(packageOf("newest"), T0 + 9 * MINUTE));
      await put(records, {
        ...committed(packageOf("imported"), T0),
        life: { ...imported, outcome: "imported" },
      });
      await put(records, {
        ...committed(packageOf("held"), T0),
        life: { ...ended.life, lease: { runId: "r", endsAt: end + MINUTE } },
      });
      await put(records, ended);
      const deleted = committed(packageOf("deleted"), T0 + 9 * MINUTE);
      await put(records, { ...deleted, filesDeleted: true });
      await put(records, packageOf("uploading"));
      await put(
        records,
        committed(packageOf("elsewhere", { deviceId: "device-2" }), T0 + 9 * MINUTE),
      );
      const listed = await records.packages.listImportable("device-1", end);
      assert.deepEqual(idsOf(listed), ["newest", "imported", "oldest", "held"]);
      assert.deepEqual(listed[2], oldest);
    },
  ),

  one(
    "[S4] lists what the sweeper must delete: files at the end of their window, or of the lease that holds them",
    async (records) => {
      await register(records, "device-1");
      const leaseEnds = T0 + DAY + 5 * MINUTE;
      await put(records, packageOf("uploading"));
      await put(records, heldUntil("held", leaseEnds));
      assert.deepEqual(await due(records, T0 + HOUR - 1), []);
      assert.deepEqual(await due(records, T0 + HOUR), ["uploading"]);
      assert.deepEqual(await due(records, leaseEnds - 1), ["uploading"]);
      assert.deepEqual(await due(records, leaseEnds), ["held", "uploading"]);
    },
  ),

  one(
    "[S5] lists a package without files again once its status window has ended",
    async (records) => {
      await register(records, "device-1");
      await put(records, { ...packageOf("never sent"), filesDeleted: true });
      await put(records, { ...committed(packageOf("waited"), T0), filesDeleted: true });
      assert.deepEqual(await due(records, T0 + HOUR + 7 * DAY - 1), []);
      assert.deepEqual(await due(records, T0 + HOUR + 7 * DAY), ["never sent"]);
      assert.deepEqual(await due(records, T0 + 8 * DAY), ["never sent", "waited"]);
    },
  ),

  one(
    "[S5] does not list a package under a lease that outlasts a shorter status window",
    async (records) => {
      await register(records, "device-1");
      await put(records, heldUntil("held", T0 + DAY + HOUR));
      const list = (now: number) => records.packages.listDue(now, 1000, 10);
      assert.deepEqual(await list(T0 + DAY + MINUTE), []);
      assert.deepEqual(idsOf(await list(T0 + DAY + HOUR)), ["held"]);
    },
  ),

  one(
    "lists at most the requested number of due packages, the longest due first",
    async (records) => {
      await register(records, "device-1");
      for (const minute of [3, 1, 2]) {
        await put(records, packageOf(`pkg_${minute}`, { createdAt: T0 + minute * MINUTE }));
      }
      const listed = await records.packages.listDue(T0 + DAY, 7 * DAY, 2);
      assert.deepEqual(idsOf(listed), ["pkg_1", "pkg_2"]);
    },
  ),
];

/** A committed package that a run holds beyond its wait. */
function heldUntil(packageId: string, endsAt: number): PackageRecord {
  const waiting = committed(packageOf(packageId), T0);
  return { ...waiting, life: { ...waiting.life, lease: { runId: "r", endsAt } } };
}

async function due({ packages }: OpenedRecords, now: number): Promise<readonly string[]> {
  return idsOf(await packages.listDue(now, 7 * DAY, 10)).toSorted();
}

function idsOf(records: readonly PackageRecord[]): readonly string[] {
  return records.map(({ packageId }) => packageId);
}
