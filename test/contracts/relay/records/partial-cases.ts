import assert from "node:assert/strict";
import type { PackageRecord, RecordStore } from "../../../../relay/domain/ports.ts";
import { one, type RecordsCase, two } from "./records-case.ts";
import {
  ADDRESS,
  committed,
  DAY,
  hold,
  HOUR,
  insert,
  INSERTED,
  MINUTE,
  packageOf,
  pair,
  put,
  register,
  roomFor,
  T0,
  updated,
} from "./sample-records.ts";
import { withKeys } from "./sound-key-cases.ts";

const FILE = "sound 1.wav";
const KEY = "pkg_1/part";
/** Time at which the reservations of these cases lapse, long before the upload window ends. */
const LAPSE = T0 + 5 * MINUTE;

/** The promises of `SoundKeys` about files that are sent in several calls (rule U10). */
export const PARTIAL_CASES: readonly RecordsCase[] = [
  one("[U10] a file has one partial, which outlives the process", async (records, reopen) => {
    const keys = records.soundKeys;
    await announce(records, "pkg_1", "pkg_2");
    await begin(records, KEY);
    await keys.addPending("pkg_1/whole", T0 + HOUR);
    await assert.rejects(begin(records, "pkg_1/second"), "A file got two.");
    const secondFile = keys.beginPartial({ key: KEY, file: "sound 2.wav" });
    await assert.rejects(secondFile, "A key got two files.");
    await begin(records, "pkg_1/other", "sound 2.wav");
    await begin(records, "pkg_2/part");
    const again = await reopen();
    assert.deepEqual(await partialsOf(again), [
      [FILE, KEY, 0],
      ["sound 2.wav", "pkg_1/other", 0],
    ]);
    assert.deepEqual(await partialsOf(again, "pkg_3"), []);
  }),

  two("[U10] of many concurrent partials of a file exactly one is added", async (own, other) => {
    await announce(own, "pkg_1");
    const adding = Array.from({ length: 20 }, (_, index) =>
      begin(index % 2 === 0 ? own : other, `pkg_1/part_${index}`),
    );
    const outcomes = await Promise.allSettled(adding);
    assert.equal(outcomes.filter(({ status }) => status === "fulfilled").length, 1);
    for (const records of [own, other]) assert.equal((await partialsOf(records)).length, 1);
  }),

  two("[U10] every process knows at once how much of a partial is durable", async (own, other) => {
    await announce(own, "pkg_1");
    await begin(own, KEY);
    assert.equal(await keep(other, KEY, 5), true, "Another process can't continue it.");
    assert.deepEqual(await partialsOf(own), [[FILE, KEY, 5]]);
    assert.equal(await keep(own, KEY, 7), true);
    assert.deepEqual(await partialsOf(other), [[FILE, KEY, 7]]);
    await other.soundKeys.doom({ partial: KEY });
    assert.equal(await keep(own, KEY, 9), false, "One that another process ended was kept.");
  }),

  one("[U10] records what of a partial is durable, while it is one", async (records, reopen) => {
    const keys = records.soundKeys;
    await announce(records, "pkg_1");
    await begin(records, KEY);
    await keys.addPending("pkg_1/whole", T0 + HOUR);
    assert.equal(await keep(records, KEY, 5), true);
    assert.equal(await keep(records, KEY, 7), true);
    for (const key of ["pkg_1/whole", "pkg_1/unknown"]) {
      assert.equal(await keep(records, key, 7), false, `${key} is no partial, and was kept.`);
    }
    assert.deepEqual(await partialsOf(await reopen()), [[FILE, KEY, 7]]);
  }),

  one("[J2][U10] a partial is doomed at its own end, which may be a later one", async (records) => {
    const keys = records.soundKeys;
    await announce(records, "pkg_1");
    await begin(records, KEY, FILE, T0 + 1);
    await keys.addPending("pkg_1/whole", T0 + 1);
    await keys.doom({ endedBy: T0 + HOUR, partialsEndedBy: T0 });
    assert.deepEqual(await keys.list({ state: "doomed", limit: 10 }), ["pkg_1/whole"]);
    assert.deepEqual(await partialsOf(records), [[FILE, KEY, 0]]);
    await keys.doom({ endedBy: T0 + HOUR, partialsEndedBy: T0 + 1 });
    assert.deepEqual(await keys.list({ state: "doomed", limit: 10 }), [KEY, "pkg_1/whole"]);
    assert.deepEqual(await partialsOf(records), []);
    await begin(records, "pkg_1/next", FILE, T0 + 1);
    await keys.doom({ endedBy: T0 + 1 });
    assert.deepEqual(await partialsOf(records), []);
  }),

  one(
    "[Z15] a key becomes a partial only while it is pending, and its package takes files",
    async (records) => {
      await announce(records, "pkg_1", "pkg_2");
      const { packages, soundKeys } = records;
      await packages.remove("pkg_1", 1, true);
      const emptied = await packages.find("pkg_2");
      const deviceId = "device of pkg_1";
      await put(records, committed(packageOf("pkg_3", { deviceId }), T0));
      const lost = { ...committed(packageOf("lost", { deviceId }), T0), uploaded: new Map() };
      await put(records, lost);
      assert.ok(emptied);
      await updated(records, { ...emptied, filesDeleted: true });
      for (const packageId of ["pkg_1", "pkg_2", "pkg_3"]) {
        const key = `${packageId}/part`;
        await soundKeys.addPending(key, T0 + HOUR);
        const begun = await soundKeys.beginPartial({ key, file: FILE });
        assert.equal(begun, false, `${packageId} takes no files, and got a partial.`);
        const found = await soundKeys.findPartials(packageId);
        assert.deepEqual(found, packageId === "pkg_3" ? new Map() : undefined);
      }
      await soundKeys.addPending("lost/part", T0 + HOUR);
      const isLostTaken = await soundKeys.beginPartial({ key: "lost/part", file: FILE });
      assert.equal(isLostTaken, true, "A package that waits doesn't take what it lost.");
      await announce(records, "pkg_4");
      const unknown = soundKeys.beginPartial({ key: "pkg_4/unknown", file: FILE });
      await assert.rejects(unknown, "A key that nobody added became a partial.");
      await soundKeys.addPending("pkg_4/doomed", T0);
      await soundKeys.doom({ endedBy: T0 });
      const doomed = soundKeys.beginPartial({ key: "pkg_4/doomed", file: FILE });
      await assert.rejects(doomed, "A doomed key became a partial.");
      assert.deepEqual(await partialsOf(records, "pkg_4"), []);
    },
  ),

  one("[J2][U10] one that is doomed or removed is no partial", async (records) => {
    const keys = records.soundKeys;
    await announce(records, "pkg_1");
    await begin(records, KEY);
    await keys.addPending("pkg_1/whole", T0 + HOUR);
    await keys.doom({ partial: "pkg_1/whole" });
    await keys.doom({ partial: KEY });
    assert.deepEqual(await keys.list({ state: "doomed", limit: 10 }), [KEY]);
    await begin(records, "pkg_1/next");
    assert.deepEqual(await partialsOf(records), [[FILE, "pkg_1/next", 0]]);
    await keys.remove(["pkg_1/next"]);
    assert.deepEqual(await partialsOf(records), []);
    assert.deepEqual(await keys.list({ state: "doomed", limit: 10 }), [KEY]);
  }),

  one("[J2][U10] is doomed with its package, in the same step", async (records) => {
    await register(records, "device-1");
    const { pairingId } = await pair(records, "device-1");
    const { packages, pairings } = records;
    const ways: Readonly<Record<string, (record: PackageRecord) => Promise<unknown>>> = {
      expired: (record) => updated(records, { ...record, filesDeleted: true }),
      removed: ({ packageId, version }) => packages.remove(packageId, version),
      unpaired: () => pairings.unpair({ deviceId: "device-1", pairingId }, T0),
      abandoned: () => pairings.removeDevice("device-1"),
    };
    for (const [packageId, end] of Object.entries(ways)) {
      const key = await announcePartial(records, packageId);
      const record = await packages.find(packageId);
      assert.ok(record);
      await end(record);
      assert.deepEqual(await partialsOf(records, packageId), [], `Not when ${packageId}.`);
      const doomed = await records.soundKeys.list({ state: "doomed", limit: 100 });
      assert.ok(doomed.includes(key), `${key} was forgotten.`);
    }
  }),

  one("[J2][U10] is doomed once its package has the file with another key", async (records) => {
    await register(records, "device-1");
    const key = await announcePartial(records, "pkg_1", [10, 10]);
    const keys = records.soundKeys;
    await begin(records, "pkg_1/other", "sound 2.wav");
    await keys.addPending("pkg_1/whole", T0 + HOUR);
    const record = await records.packages.find("pkg_1");
    assert.ok(record);
    const stored = await updated(records, withKeys(record, "pkg_1/whole"));
    assert.deepEqual(await keys.list({ state: "doomed", limit: 10 }), [key]);
    assert.deepEqual(await partialsOf(records), [["sound 2.wav", "pkg_1/other", 0]]);
    await updated(records, withKeys(stored, "pkg_1/whole", "pkg_1/other"));
    assert.deepEqual(await keys.list({ state: "doomed", limit: 10 }), [key]);
    assert.deepEqual(await partialsOf(records), []);
  }),

  one(
    "[L2][U10] counts as reserved while its package holds room, then as stored",
    async (records) => {
      await register(records, "device-1");
      const device = { quotas: { bytesPerDevice: 1000 } };
      await announcePartial(records, "pkg_1", [600, 300]);
      await keep(records, "pkg_1/part", 500);
      const announce = async (id: string, bytes: number, createdAt: number) =>
        (await insert(records, packageOf(id, { sizes: [bytes], createdAt }), device)).kind;
      assert.equal(await announce("a", 101, LAPSE - 1), "uploads-unfinished");
      assert.equal(await announce("a", 100, LAPSE - 1), INSERTED.kind);
      await records.packages.remove("a", 1);
      assert.equal(await announce("b", 501, LAPSE), "device-full");
      assert.equal(await announce("b", 100, LAPSE), INSERTED.kind);
      const again = (bytesPerDevice: number) =>
        hold(records, "pkg_1", { now: LAPSE, quotas: { bytesPerDevice } });
      assert.equal((await again(999)).kind, "uploads-unfinished");
      assert.equal((await again(1000)).kind, "held");
      await records.packages.remove("b", 1);
      const record = await records.packages.find("pkg_1");
      assert.ok(record);
      await records.packages.remove("pkg_1", record.version);
      assert.equal(await announce("c", 1000, LAPSE), INSERTED.kind);
    },
  ),

  one("[L4][U10] its bytes count for their address's day as they come", async (records) => {
    await register(records, "device-1");
    await announcePartial(records, "pkg_1", [600]);
    await keep(records, "pkg_1/part", 200, 200);
    await keep(records, "pkg_1/part", 200, 0);
    await keep(records, "pkg_1/part", 500, 300);
    await records.soundKeys.doom({ partial: "pkg_1/part" });
    await keep(records, "pkg_1/part", 600, 100);
    const announce = async (id: string, bytes: number, createdAt = T0 + MINUTE) => {
      const options = { quotas: { bytesPerAddressPerDay: 2000 } };
      return (await insert(records, packageOf(id, { sizes: [bytes], createdAt }), options)).kind;
    };
    assert.equal(await announce("a", 1501), "address-limit");
    assert.equal(await announce("a", 1500, LAPSE), INSERTED.kind);
    assert.equal(await announce("b", 2000, T0 + DAY + HOUR), INSERTED.kind);
  }),
];

/** Announces packages of two sounds each. */
async function announce(records: RecordStore, ...packageIds: readonly string[]): Promise<void> {
  await register(records, `device of ${packageIds[0]}`);
  for (const packageId of packageIds) {
    const deviceId = `device of ${packageIds[0]}`;
    await insert(records, packageOf(packageId, { deviceId, sizes: [10, 10] }));
  }
}

/** Adds a pending key that becomes a partial. */
async function begin(
  records: RecordStore,
  key: string,
  file = FILE,
  endsAt = T0 + HOUR,
): Promise<void> {
  await records.soundKeys.addPending(key, endsAt);
  assert.equal(await records.soundKeys.beginPartial({ key, file }), true);
}

/** Announces a package that holds room for a while, and begins its first file. Returns that one's key. */
async function announcePartial(
  records: RecordStore,
  packageId: string,
  sizes: readonly number[] = [10],
): Promise<string> {
  await insert(records, packageOf(packageId, { sizes, room: roomFor(ADDRESS, LAPSE) }));
  const key = `${packageId}/part`;
  await begin(records, key);
  return key;
}

function keep(records: RecordStore, key: string, storedBytes: number, bytes = 0) {
  const received = { address: ADDRESS, bytes, at: T0 };
  return records.soundKeys.keepPartial({ key, storedBytes, received });
}

async function partialsOf(records: RecordStore, packageId = "pkg_1") {
  const found = await records.soundKeys.findPartials(packageId);
  return [...(found ?? [])]
    .toSorted(([one], [other]) => (one < other ? -1 : 1))
    .map(([file, { key, storedBytes }]) => [file, key, storedBytes]);
}
