import { describe, expect, test } from "vitest";
import type { SoundResults } from "../../core/protocol/package-status.ts";
import type { PackageRecord } from "../../relay/domain/ports.ts";
import {
  DAY,
  HOUR,
  MINUTE,
  type OpenRecords,
  T0,
  committed,
  insert,
  packageOf,
  register,
} from "./records-under-test.ts";

/** The contract suite of `PackageRecords` for single packages and lists. */
export function packageRecordsContract(adapter: string, open: OpenRecords): void {
  const openWithDevice: OpenRecords = async () => {
    const records = await open();
    await register(records, "device-1");
    return records;
  };
  describe(`${adapter}: one package`, () => onePackage(openWithDevice));
  describe(`${adapter}: lists of packages`, () => lists(openWithDevice));
}

function onePackage(open: OpenRecords): void {
  test("returns what was stored, hostile ids included", async () => {
    await using records = await open();
    const plain = packageOf("pkg_1");
    const [sound] = plain.manifest.items;
    if (sound === undefined) throw new Error("The package has a sound.");
    const record: PackageRecord = {
      ...plain,
      manifest: {
        ...plain.manifest,
        title: "Ñandú 鼓 🥁",
        items: [{ ...sound, id: "__proto__", gain_db: -3.25 }],
      },
    };
    expect(await insert(records, record)).toEqual({ kind: "inserted" });
    expect(await records.packages.find("pkg_1")).toEqual(record);
    expect(await records.packages.find("pkg_2")).toBeUndefined();

    const result = { status: "imported", differences: [{ setting: "x", asked: 1, got: null }] };
    const results = JSON.parse(`{"__proto__": ${JSON.stringify(result)}}`) as SoundResults;
    const later: PackageRecord = {
      ...committed(record, T0 + MINUTE),
      results,
      filesDeleted: true,
      life: {
        uploadEndsAt: T0 + HOUR,
        committedAt: T0 + MINUTE,
        waitEndsAt: T0 + DAY,
        outcome: "partial",
        lease: { runId: "", endsAt: T0 + HOUR },
      },
    };
    expect(await records.packages.update(later)).toBe(true);
    await records.reopen();
    const found = await records.packages.find("pkg_1");
    expect(found).toEqual({ ...later, results: expect.anything(), version: 2 });
    expect(Object.entries(found?.results ?? {})).toEqual([["__proto__", result]]);
    expect(found?.results?.["toString"]).toBeUndefined();
  });

  test("refuses an id that is already in use", async () => {
    await using records = await open();
    await insert(records, packageOf("pkg_1"));
    await expect(insert(records, packageOf("pkg_1", { sizes: [7] }))).rejects.toThrow();
    expect(await records.packages.find("pkg_1")).toEqual(packageOf("pkg_1"));
  });

  test("[P8][A3] refuses a package of a device that was removed meanwhile", async () => {
    await using records = await open();
    await records.pairings.removeDevice("device-1");
    expect(await insert(records, packageOf("pkg_1"))).toEqual({ kind: "device-gone" });
    expect(await records.packages.find("pkg_1")).toBeUndefined();
  });

  test("[S2] applies exactly one of many updates of one version", async () => {
    await using records = await open();
    const record = packageOf("pkg_1");
    await insert(records, record);
    const runs = Array.from({ length: 20 }, (_, index) => `run ${index}`);
    const took = await Promise.all(
      runs.map((runId) => {
        const lease = { runId, endsAt: T0 + MINUTE };
        return records.packages.update({ ...record, life: { ...record.life, lease } });
      }),
    );
    expect(took.filter(Boolean)).toHaveLength(1);
    const found = await records.packages.find("pkg_1");
    expect(found?.version).toBe(record.version + 1);
    expect(found?.life.lease?.runId).toBe(runs[took.indexOf(true)]);
  });

  test("[S2] applies exactly one of a take and a removal of one version", async () => {
    await using records = await open();
    for (const takeFirst of [true, false]) {
      const record = packageOf(`pkg_${takeFirst}`);
      await insert(records, record);
      const lease = { runId: "run", endsAt: T0 + MINUTE };
      const take = () => records.packages.update({ ...record, life: { ...record.life, lease } });
      const remove = () => records.packages.remove(record.packageId, record.version);
      const outcome = await Promise.all(takeFirst ? [take(), remove()] : [remove(), take()]);
      expect(outcome).toEqual([true, false]);
      expect((await records.packages.find(record.packageId)) !== undefined).toBe(takeFirst);
    }
  });

  test("can't find, change or remove a package after its removal", async () => {
    await using records = await open();
    const record = packageOf("pkg_1");
    await insert(records, record);
    await records.packages.find("pkg_1");
    expect(await records.packages.remove("pkg_1", record.version + 1)).toBe(false);
    expect(await records.packages.remove("pkg_1", record.version)).toBe(true);
    expect(await records.packages.find("pkg_1")).toBeUndefined();
    expect(await records.packages.remove("pkg_1", record.version)).toBe(false);
    expect(await records.packages.update(record)).toBe(false);
  });

  test("shows the result of a resolved call to every later one", async () => {
    await using records = await open();
    await insert(records, packageOf("pkg_1"));
    for (let round = 1; round <= 50; round += 1) {
      const found = await records.packages.find("pkg_1");
      if (found === undefined) throw new Error("The package is there.");
      expect(found.version).toBe(round);
      expect(await records.packages.update(found)).toBe(true);
    }
  });

  test("knows which sounds packages refer to", async () => {
    await using records = await open();
    const record = packageOf("pkg_1");
    await insert(records, record);
    expect(await records.packages.isSoundKnown("pkg_1/snd_1")).toBe(false);
    await records.packages.update(committed(record, T0));
    expect(await records.packages.isSoundKnown("pkg_1/snd_1")).toBe(true);
    expect(await records.packages.isSoundKnown("pkg_1/snd_2")).toBe(false);
    expect(await records.packages.isSoundKnown("pkg_2/snd_1")).toBe(false);
    expect(await records.packages.isSoundKnown("nonsense")).toBe(false);
    await records.packages.remove("pkg_1", record.version + 1);
    expect(await records.packages.isSoundKnown("pkg_1/snd_1")).toBe(false);
  });
}

function lists(open: OpenRecords): void {
  test("[I1] lists a device's committed packages whose files exist, newest commit first", async () => {
    await using records = await open();
    await register(records, "device-2");
    const put = (record: PackageRecord) => insert(records, record);
    const end = T0 + 5 * MINUTE + DAY;
    const life = committed(packageOf("x"), T0 + 5 * MINUTE).life;
    await put(committed(packageOf("oldest"), T0 + 6 * MINUTE));
    await put(committed(packageOf("newest"), T0 + 9 * MINUTE));
    await put({
      ...committed(packageOf("imported"), T0 + 8 * MINUTE),
      life: { ...life, committedAt: T0 + 8 * MINUTE, waitEndsAt: end + 1, outcome: "imported" },
    });
    await put({
      ...packageOf("held"),
      life: { ...life, lease: { runId: "r", endsAt: end + MINUTE } },
    });
    await put({ ...packageOf("ended"), life });
    await put({ ...committed(packageOf("deleted"), T0 + 9 * MINUTE), filesDeleted: true });
    await put(packageOf("uploading"));
    await put(committed(packageOf("elsewhere", { deviceId: "device-2" }), T0 + 9 * MINUTE));
    const listed = await records.packages.listImportable("device-1", end);
    expect(listed.map(({ packageId }) => packageId)).toEqual([
      "newest",
      "imported",
      "oldest",
      "held",
    ]);
    expect(listed[2]).toEqual(committed(packageOf("oldest"), T0 + 6 * MINUTE));
  });

  test("[A3] lists what one app is uploading, to drop it when the app is unpaired", async () => {
    await using records = await open();
    await register(records, "device-2");
    await insert(records, packageOf("mine"));
    await insert(records, packageOf("later", { createdAt: T0 + MINUTE }));
    await insert(records, committed(packageOf("waits"), T0));
    await insert(records, packageOf("another's", { appId: "app-2" }));
    await insert(records, packageOf("elsewhere", { deviceId: "device-2" }));
    const list = async (now: number) => {
      const found = await records.packages.listUploading(
        { deviceId: "device-1", appId: "app-1" },
        now,
      );
      return found.map(({ packageId }) => packageId).sort();
    };
    expect(await list(T0 + HOUR - 1)).toEqual(["later", "mine"]);
    expect(await list(T0 + HOUR)).toEqual(["later"]);
  });

  test("[S4] lists what the sweeper must delete: files at the end of their window, or of the lease that holds them", async () => {
    await using records = await open();
    const waiting = committed(packageOf("held"), T0);
    const leaseEnds = T0 + DAY + 5 * MINUTE;
    await insert(records, packageOf("uploading"));
    await insert(records, {
      ...waiting,
      life: { ...waiting.life, lease: { runId: "r", endsAt: leaseEnds } },
    });
    const due = async (now: number) =>
      (await records.packages.listDue(now, 7 * DAY, 10)).map(({ packageId }) => packageId).sort();
    expect(await due(T0 + HOUR - 1)).toEqual([]);
    expect(await due(T0 + HOUR)).toEqual(["uploading"]);
    expect(await due(leaseEnds - 1)).toEqual(["uploading"]);
    expect(await due(leaseEnds)).toEqual(["held", "uploading"]);
  });

  test("[S5] lists a package without files again once its status window has ended", async () => {
    await using records = await open();
    await insert(records, { ...packageOf("never sent"), filesDeleted: true });
    await insert(records, { ...committed(packageOf("waited"), T0), filesDeleted: true });
    const due = async (now: number) =>
      (await records.packages.listDue(now, 7 * DAY, 10)).map(({ packageId }) => packageId).sort();
    expect(await due(T0 + HOUR + 7 * DAY - 1)).toEqual([]);
    expect(await due(T0 + HOUR + 7 * DAY)).toEqual(["never sent"]);
    expect(await due(T0 + 8 * DAY)).toEqual(["never sent", "waited"]);
  });

  test("[S5] does not list a package under a lease that outlasts a shorter status window", async () => {
    await using records = await open();
    const record = committed(packageOf("held"), T0);
    const lease = { runId: "r", endsAt: T0 + DAY + HOUR };
    await insert(records, { ...record, life: { ...record.life, lease } });
    expect(await records.packages.listDue(T0 + DAY + MINUTE, 1000, 10)).toEqual([]);
    expect(await records.packages.listDue(T0 + DAY + HOUR, 1000, 10)).toHaveLength(1);
  });

  test("lists at most the requested number of due packages, the longest due first", async () => {
    await using records = await open();
    for (const minute of [3, 1, 2]) {
      await insert(records, packageOf(`pkg_${minute}`, { createdAt: T0 + minute * MINUTE }));
    }
    const due = await records.packages.listDue(T0 + DAY, 7 * DAY, 2);
    expect(due.map(({ packageId }) => packageId)).toEqual(["pkg_1", "pkg_2"]);
  });
}
