import assert from "node:assert/strict";
import type { SoundResults } from "../../../../core/protocol/package-status.ts";
import type { PackageRecord } from "../../../../relay/domain/ports.ts";
import { one } from "./records-case.ts";
import {
  addFile,
  committed,
  DAY,
  HOUR,
  insert,
  INSERTED,
  MINUTE,
  packageOf,
  put,
  register,
  T0,
  updated,
} from "./sample-records.ts";

/** The promises of `PackageRecords` about one package (rules A3, P8, S2). */
export const PACKAGE_CASES = [
  one("returns what was stored, hostile ids included", async (records, reopen) => {
    await register(records, "device-1");
    const record = hostilePackage();
    assert.deepEqual(await insert(records, record), INSERTED);
    assert.deepEqual(await records.packages.find("pkg_1"), record);
    assert.equal(await records.packages.find("pkg_2"), undefined);

    const result = { status: "imported", differences: [{ setting: "x", asked: 1, got: null }] };
    const results: SoundResults = Object.assign(Object.create(null), { ["__proto__"]: result });
    await records.soundKeys.addPending("pkg_1/snd___proto__", T0 + HOUR);
    const stored = await updated(records, {
      ...committed(record, T0 + MINUTE),
      results,
      takenAt: T0 + 2 * MINUTE,
      reportedAt: T0 + 3 * MINUTE,
      life: {
        uploadEndsAt: T0 + HOUR,
        committedAt: T0 + MINUTE,
        waitEndsAt: T0 + DAY,
        outcome: "partial",
        lease: { runId: "", endsAt: T0 + HOUR },
      },
    });
    const later = await updated(records, { ...stored, filesDeleted: true });
    const found = await (await reopen()).packages.find("pkg_1");
    assert.deepEqual({ ...found, results: null }, { ...later, results: null });
    assert.deepEqual(Object.entries(found?.results ?? {}), [["__proto__", result]]);
    assert.equal(found?.results?.["toString"], undefined);
  }),

  one("[Z2] a package that waits takes a file that it lost, and no other", async (records) => {
    const { packages, soundKeys } = records;
    await register(records, "device-1");
    const whole = await put(records, committed(packageOf("pkg_1", { sizes: [100, 20] }), T0));
    const add = async (key: string) => {
      await soundKeys.addPending(key, T0 + HOUR);
      return (await addFile(records, whole, key)).kind;
    };
    assert.equal(await add("pkg_1/snd_early"), "changed");
    const [lost = "", ...kept] = whole.uploaded;
    assert.equal(await packages.update({ ...whole, uploaded: new Map(kept) }), "updated");
    assert.equal(await add("pkg_1/snd_again"), "added");
    const again = await packages.find("pkg_1");
    assert.deepEqual(again?.uploaded, new Map([...kept, [lost[0], "pkg_1/snd_again"]]));
    assert.deepEqual(again?.life, whole.life);
    assert.equal(await add("pkg_1/snd_late"), "changed");
    const reported = { ...again, life: { ...again.life, outcome: "partial" as const } };
    await packages.update({ ...reported, uploaded: new Map(kept) });
    assert.equal(await add("pkg_1/snd_reported"), "changed");
  }),

  one("[K9] counts packages by their status, if it can", async (records) => {
    const { packages } = records;
    if (packages.count === undefined) return;
    await register(records, "device-1");
    const none = { uploading: 0, waiting: 0, imported: 0, partial: 0, failed: 0, expired: 0 };
    const empty = { counts: none, oldestWaitingAt: null, reservedBytes: 0 };
    assert.deepEqual(await packages.count(T0), empty);
    await insert(records, packageOf("uploading", { sizes: [100, 20] }));
    for (const at of [3, 2]) await put(records, committed(packageOf(`waiting-${at}`), T0 + at));
    const reported = await put(records, committed(packageOf("reported"), T0 + 1));
    await updated(records, { ...reported, life: { ...reported.life, outcome: "partial" } });
    const now = await packages.count(T0 + MINUTE);
    const counts = { ...none, uploading: 1, waiting: 2, partial: 1 };
    assert.deepEqual(now, { counts, oldestWaitingAt: T0 + 2, reservedBytes: 120 });
    const later = await packages.count(T0 + DAY + 2);
    assert.deepEqual(later.counts, { ...none, expired: 2, waiting: 1, partial: 1 });
    assert.deepEqual([later.oldestWaitingAt, later.reservedBytes], [T0 + 3, 0]);
  }),

  one("refuses an id that is already in use", async (records) => {
    await register(records, "device-1");
    await insert(records, packageOf("pkg_1"));
    await assert.rejects(insert(records, packageOf("pkg_1", { sizes: [7] })));
    assert.deepEqual(await records.packages.find("pkg_1"), packageOf("pkg_1"));
  }),

  one("[P8][A3] refuses a package of a device that was removed meanwhile", async (records) => {
    await register(records, "device-1");
    await records.pairings.removeDevice("device-1");
    assert.deepEqual(await insert(records, packageOf("pkg_1")), { kind: "device-gone" });
    assert.equal(await records.packages.find("pkg_1"), undefined);
  }),

  one("[S2] applies exactly one of many updates of one version", async (records) => {
    await register(records, "device-1");
    const record = packageOf("pkg_1");
    await insert(records, record);
    const runs = Array.from({ length: 20 }, (_, index) => `run ${index}`);
    const outcomes = await Promise.all(
      runs.map((runId) => records.packages.update(leased(record, runId))),
    );
    const winners = runs.filter((_, index) => outcomes[index] === "updated");
    assert.equal(winners.length, 1, `Of updates of one version, ${winners.length} were applied.`);
    const found = await records.packages.find("pkg_1");
    assert.equal(found?.version, record.version + 1);
    assert.equal(found?.life.lease?.runId, winners[0], "The stored update is another one.");
  }),

  one("[S2] an update or a removal of an older version changes nothing", async (records) => {
    await register(records, "device-1");
    const old = packageOf("pkg_1");
    await insert(records, old);
    const stored = await updated(records, leased(old, "run"));
    const lost = await records.packages.update(leased(old, "late"));
    assert.equal(lost, "changed", "An update of an older version was applied: one is lost.");
    assert.equal(await records.packages.remove("pkg_1", old.version), undefined);
    assert.deepEqual(await records.packages.find("pkg_1"), stored);
  }),

  one("[S2] an update changes neither the manifest nor the owner", async (records, reopen) => {
    await register(records, "device-1");
    await register(records, "device-2");
    const record = packageOf("pkg_1");
    await insert(records, record);
    const other = packageOf("pkg_1", {
      sizes: [7, 8],
      deviceId: "device-2",
      appId: "app-2",
      appName: "Other",
      createdAt: T0 + MINUTE,
      room: null,
    });
    const { lease } = leased(record, "run").life;
    await updated(records, { ...other, life: { ...other.life, lease } });
    const kept = { ...record, life: { ...record.life, lease }, version: 2 };
    assert.deepEqual(await records.packages.find("pkg_1"), kept);
    assert.deepEqual(await (await reopen()).packages.find("pkg_1"), kept);
  }),

  one("[S2] applies exactly one of a take and a removal of one version", async (records) => {
    await register(records, "device-1");
    for (const takeFirst of [true, false]) {
      const record = packageOf(`pkg_${takeFirst}`);
      await insert(records, record);
      const take = async () => (await records.packages.update(leased(record, "run"))) === "updated";
      const remove = async () =>
        (await records.packages.remove(record.packageId, record.version)) !== undefined;
      const won = await Promise.all(takeFirst ? [take(), remove()] : [remove(), take()]);
      assert.equal(won.filter(Boolean).length, 1, "Not exactly one of a take and a removal won.");
      const isTaken = takeFirst ? won[0] : won[1];
      assert.equal((await records.packages.find(record.packageId)) !== undefined, isTaken);
    }
  }),

  one("can't find, change or remove a package after its removal", async (records) => {
    const { packages } = records;
    await register(records, "device-1");
    const record = packageOf("pkg_1");
    await insert(records, record);
    await packages.find("pkg_1");
    assert.equal(await packages.remove("pkg_1", record.version + 1), undefined);
    assert.deepEqual(await packages.remove("pkg_1", record.version), { doomed: [] });
    assert.equal(await packages.find("pkg_1"), undefined);
    assert.equal(await packages.remove("pkg_1", record.version), undefined);
    assert.equal(await packages.update(record), "changed");
  }),

  one("shows the result of a resolved call to every later one", async (records) => {
    await register(records, "device-1");
    let record = packageOf("pkg_1");
    await insert(records, record);
    for (let round = 1; round <= 50; round += 1) {
      const found = await records.packages.find("pkg_1");
      assert.deepEqual(found, record, "A read after a resolved change is stale.");
      record = await updated(records, leased(record, `run ${round}`));
    }
  }),

  one("keeps resolved changes when it is opened again", async (records, reopen) => {
    await register(records, "device-1");
    const kept = await put(records, committed(packageOf("kept"), T0));
    const removed = await put(records, committed(packageOf("removed"), T0));
    await records.packages.remove("removed", removed.version);
    const { packages } = await reopen();
    assert.deepEqual(await packages.find("kept"), kept);
    assert.equal(await packages.find("removed"), undefined);
  }),
];

/** Returns the same package, held by a run for a minute. */
export function leased(record: PackageRecord, runId: string): PackageRecord {
  return { ...record, life: { ...record.life, lease: { runId, endsAt: T0 + MINUTE } } };
}

function hostilePackage(): PackageRecord {
  const plain = packageOf("pkg_1");
  const items = plain.manifest.items.map((sound) => ({
    ...sound,
    id: "__proto__",
    gain_db: -3.25,
  }));
  return { ...plain, manifest: { ...plain.manifest, title: "Ñandú 鼓 🥁", items } };
}

/** The promises of `PackageRecords` about `expire` (rules S4, J2). */
export const EXPIRE_CASES = [
  one("[S4] expires what is due and nothing else, a limited number at once", async (records) => {
    const { packages, soundKeys } = records;
    await register(records, "device-1");
    const waiting = (id: string, at: number) => put(records, committed(packageOf(id), at));
    for (const [id, at] of [
      ["b", 2],
      ["a", 1],
      ["c", 3],
      ["d", 4],
    ] as const) {
      await waiting(id, T0 + at);
    }
    const leased = await waiting("e", T0);
    const lease = { runId: "run", endsAt: T0 + DAY + HOUR };
    await packages.update({ ...leased, life: { ...leased.life, lease } });
    assert.deepEqual(await packages.expire(T0 + DAY, 10), []);
    const ids = async (limit: number) =>
      (await packages.expire(T0 + DAY + 3, limit))
        .map(({ packageId, deviceId }) => `${deviceId} ${packageId}`)
        .toSorted();
    assert.deepEqual(await ids(2), ["device-1 a", "device-1 b"]);
    assert.deepEqual(await ids(2), ["device-1 c"]);
    assert.deepEqual(await ids(2), []);
    const doomed = await soundKeys.list({ state: "doomed", limit: 10 });
    assert.deepEqual(doomed, ["a/snd_1", "b/snd_1", "c/snd_1"]);
    assert.equal((await packages.find("a"))?.filesDeleted, true);
    for (const id of ["d", "e"]) assert.equal((await packages.find(id))?.filesDeleted, false);
  }),

  one("[S4] a change that was decided before an expiry is not written", async (records) => {
    const { packages } = records;
    await register(records, "device-1");
    const stored = await put(records, committed(packageOf("a"), T0));
    assert.equal((await packages.expire(T0 + DAY, 10)).length, 1);
    const lease = { runId: "run", endsAt: T0 + DAY + HOUR };
    const taken = { ...stored, life: { ...stored.life, lease } };
    assert.equal(await packages.update(taken), "changed");
  }),
];
