import assert from "node:assert/strict";
import type { PackageHead, PackagePage, PackageRecord } from "../../../../relay/domain/ports.ts";
import { one, type OpenedRecords } from "./records-case.ts";
import {
  committed,
  DAY,
  HOUR,
  MINUTE,
  insert,
  packageOf,
  put,
  register,
  T0,
  updated,
} from "./sample-records.ts";

/** The promises of `PackageRecords` about its lists (rules I1, S4, S5). */
export const LIST_CASES = [
  one(
    "[I1] lists a device's committed packages whose files exist: what waits first, both newest commit first",
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
      const listed = await list(records, end);
      assert.deepEqual(idsOf(listed), ["newest", "oldest", "held", "imported"]);
      const { packageId, appName, createdAt, life, filesDeleted, version } = listed[1] ?? fail();
      const head = { packageId, appName, createdAt, life, filesDeleted, version };
      assert.deepEqual({ ...oldest, ...head }, oldest);
    },
  ),

  one(
    "[AD12] a listed package is noted once and keeps its version; one that is gone stays gone",
    async (records) => {
      await register(records, "device-1");
      for (const id of ["one", "two"]) await put(records, committed(packageOf(id), T0));
      const before = await list(records, T0);
      assert.ok(before.every(({ isSeen }) => !isSeen));
      const { packages } = records;
      await packages.noteListed(
        new Map([
          ["one", T0 + 1],
          ["gone", T0 + 1],
        ]),
      );
      await packages.noteListed(new Map([["one", T0 + 2]]));
      const after = await list(records, T0);
      const versions = (heads: readonly PackageHead[]) =>
        heads.map(({ packageId, version }) => `${packageId} ${version}`).toSorted();
      assert.deepEqual(versions(after), versions(before));
      assert.equal(after.find(({ packageId }) => packageId === "two")?.isSeen, false);
    },
  ),

  one("[I5] reads as many manifests as fit, in the order of their packages", async (records) => {
    await register(records, "device-1");
    for (const id of ["a", "b", "c"]) await insert(records, packageOf(id));
    const { manifest } = packageOf("a");
    const size = JSON.stringify(manifest).length;
    const read = async (ids: readonly string[], max: number) =>
      (await records.packages.findManifests(ids, max)).map(({ packageId }) => packageId);
    const [first] = await records.packages.findManifests(["a"], 1);
    assert.deepEqual(first, { packageId: "a", manifest });
    assert.deepEqual(await read(["c", "none", "a", "b"], 10 * size), ["c", "a", "b"]);
    const some = await read(["c", "a", "b"], size + 1);
    assert.ok(some.length >= 1 && some.length < 3, "Manifests beyond the limit were read.");
    assert.deepEqual(some, ["c", "a", "b"].slice(0, some.length));
    assert.deepEqual(await read(["none"], size), []);
  }),

  one("[I5] pages of any size together are the list", async (records) => {
    await register(records, "device-1");
    for (const index of PLACES) {
      const waiting = committed(packageOf(`pkg_${index}`), T0 + Math.floor(index / 3) * MINUTE);
      const isReported = index % 4 === 1;
      const life = { ...waiting.life, ...(isReported && { outcome: "failed" as const }) };
      await put(records, { ...waiting, life });
    }
    const whole = await list(records, T0);
    assert.equal(whole.length, PLACES.length);
    for (const limit of [1, 2, 3, PLACES.length]) {
      assert.deepEqual(idsOf(await walk(records, limit)), idsOf(whole), `Pages of ${limit}`);
    }
    const last = whole.at(-1)?.cursor;
    assert.deepEqual(
      await records.packages.list({ deviceId: "device-1", now: T0 }, page(last)),
      [],
    );
  }),

  one(
    "[I5] a list that is read while packages come, are reported and go has each that stays exactly once",
    async (records) => {
      await register(records, "device-1");
      const stored = new Map<string, PackageRecord>();
      for (const index of PLACES) {
        const id = `pkg_${index}`;
        stored.set(id, await put(records, committed(packageOf(id), T0 + index * MINUTE)));
      }
      const report = async (id: string) => {
        const record = stored.get(id) ?? fail();
        const life = { ...record.life, outcome: "imported" as const, lease: null };
        stored.set(id, await updated(records, { ...record, life }));
      };
      await report("pkg_5");
      const changes = [
        // One package that the list has had, and one that it has not.
        () => report("pkg_11"),
        () => report("pkg_2"),
        () => put(records, committed(packageOf("new"), T0 + HOUR)),
        () => records.packages.remove("pkg_0", stored.get("pkg_0")?.version ?? 0),
        // The same package again.
        () => report("pkg_2"),
      ];
      const listed = await walk(records, 2, async () => void (await changes.shift()?.()));
      const stayed = [...stored.keys()].filter((id) => id !== "pkg_0");
      assert.deepEqual(idsOf(listed).toSorted(), stayed.toSorted());
    },
  ),

  one("[I5] refuses a cursor that is none of its own", async (records) => {
    await register(records, "device-1");
    for (const cursor of ["nonsense", "1-2-3", "'; --"]) {
      const answer = await records.packages.list({ deviceId: "device-1", now: T0 }, page(cursor));
      assert.equal(answer, undefined);
    }
  }),

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

const PLACES = Array.from({ length: 12 }, (_, index) => index);

function page(after?: string, limit = 100): PackagePage {
  return { after, limit };
}

async function list({ packages }: OpenedRecords, now: number): Promise<readonly PackageHead[]> {
  return (await packages.list({ deviceId: "device-1", now: now }, page())) ?? fail();
}

/** Reads all pages of a list. @param between called after each page */
async function walk(
  { packages }: OpenedRecords,
  limit: number,
  between: () => Promise<void> = async () => {},
): Promise<readonly PackageHead[]> {
  const all: PackageHead[] = [];
  for (;;) {
    const heads = await packages.list(
      { deviceId: "device-1", now: T0 },
      page(all.at(-1)?.cursor, limit),
    );
    assert.ok(heads, "The store doesn't know its own cursor.");
    all.push(...heads);
    if (heads.length < limit) return all;
    await between();
  }
}

function fail(): never {
  return assert.fail("A package is missing.");
}

/** Makes a committed package that a run holds beyond its wait. */
function heldUntil(packageId: string, endsAt: number): PackageRecord {
  const waiting = committed(packageOf(packageId), T0);
  return { ...waiting, life: { ...waiting.life, lease: { runId: "r", endsAt } } };
}

async function due({ packages }: OpenedRecords, now: number): Promise<readonly string[]> {
  return idsOf(await packages.listDue(now, 7 * DAY, 10)).toSorted();
}

export function idsOf(records: readonly Pick<PackageRecord, "packageId">[]): readonly string[] {
  return records.map(({ packageId }) => packageId);
}
