import assert from "node:assert/strict";
import {
  type DoomedKeys,
  isQuarantinedOf,
  type PackageRecord,
  quarantinedOf,
  type RecordStore,
} from "../../../../relay/domain/ports.ts";
import { one } from "./records-case.ts";
import {
  addFile,
  committed,
  HOUR,
  insert,
  packageOf,
  pair,
  put,
  register,
  T0,
  updated,
  uploaded,
} from "./sample-records.ts";

/** The promises of `SoundKeys` and `PackageRecords` about pending and doomed keys (rule J2). */
export const SOUND_KEY_CASES = [
  one(
    "[J2] rejects a key in use: pending, part of a package, or doomed",
    async (records, reopen) => {
      await register(records, "device-1");
      await put(records, uploaded(packageOf("pkg_1")));
      await records.soundKeys.addPending("pkg_1/doomed", T0);
      await records.soundKeys.doom({ endedBy: T0 });
      await records.soundKeys.addPending("pkg_1/pending", T0 + HOUR);
      const { soundKeys } = await reopen();
      for (const key of ["pkg_1/pending", "pkg_1/snd_1", "pkg_1/doomed"]) {
        await assert.rejects(soundKeys.addPending(key, T0 + HOUR), `${key} was used again.`);
      }
      assert.deepEqual(await soundKeys.list({ state: "doomed", limit: 10 }), ["pkg_1/doomed"]);
    },
  ),

  one("[J2] of many concurrent uses of one key exactly one gets it", async ({ soundKeys }) => {
    const uses = Array.from({ length: 20 }, () => soundKeys.addPending("pkg_1/key", T0 + HOUR));
    const outcomes = await Promise.allSettled(uses);
    assert.equal(outcomes.filter(({ status }) => status === "fulfilled").length, 1);
  }),

  one("[J2] a key becomes part of a package only while it is pending", async (records) => {
    const { packages, soundKeys } = records;
    await register(records, "device-1");
    const record = packageOf("pkg_1");
    await insert(records, record);
    for (const key of ["pkg_1/doomed", "pkg_1/removed", "pkg_1/both"]) {
      await soundKeys.addPending(key, T0);
    }
    await soundKeys.remove(["pkg_1/removed"]);
    await soundKeys.doom({ endedBy: T0 });
    await soundKeys.remove(["pkg_1/both"]);
    for (const key of ["pkg_1/doomed", "pkg_1/removed", "pkg_1/both", "pkg_1/unknown"]) {
      const { kind } = await addFile(records, record, key);
      assert.equal(kind, "key-gone", `${key}, which is not pending, became part of a package.`);
    }
    assert.deepEqual(await packages.find("pkg_1"), record);
    assert.deepEqual(await soundKeys.list({ state: "doomed", limit: 10 }), ["pkg_1/doomed"]);
  }),

  one("[J2] a key of one package never becomes part of another", async (records) => {
    await register(records, "device-1");
    const owner = await put(records, uploaded(packageOf("pkg_2")));
    const record = packageOf("pkg_1");
    await insert(records, record);
    const { kind } = await addFile(records, record, "pkg_2/snd_1");
    assert.equal(kind, "key-gone", "A package got another one's key.");
    assert.deepEqual(await records.packages.find("pkg_1"), record);
    assert.deepEqual(await records.packages.find("pkg_2"), owner);
  }),

  one(
    "[J2] a pending key stays on record when its package changes or is removed",
    async (records) => {
      const { packages, pairings, soundKeys } = records;
      await register(records, "device-1");
      const { pairingId } = await pair(records, "device-1");
      const ways: Readonly<Record<string, (record: PackageRecord) => Promise<unknown>>> = {
        changed: (record) => updated(records, { ...record, results: {} }),
        removed: ({ packageId, version }) => packages.remove(packageId, version),
        unpaired: () => pairings.unpair({ deviceId: "device-1", pairingId }, T0),
        abandoned: () => pairings.removeDevice("device-1"),
      };
      for (const [packageId, change] of Object.entries(ways)) {
        const stored = await put(records, uploaded(packageOf(packageId)));
        const key = `${packageId}/pending`;
        await soundKeys.addPending(key, T0 + HOUR);
        await change(stored);
        await soundKeys.doom({ endedBy: T0 + HOUR });
        assert.ok((await doomedOf(records)).includes(key), `${key} was forgotten.`);
      }
    },
  ),

  one("[J2] forgetOld forgets no key, however old", async ({ packages, soundKeys }) => {
    await soundKeys.addPending("pkg_1/doomed", T0);
    await soundKeys.doom({ endedBy: T0 });
    await soundKeys.addPending("pkg_1/pending", T0);
    await packages.forgetOld(T0 + 10_000 * HOUR);
    assert.deepEqual(await doomedOf({ soundKeys }), ["pkg_1/doomed"]);
    await soundKeys.doom({ endedBy: T0 });
    assert.deepEqual(await doomedOf({ soundKeys }), ["pkg_1/doomed", "pkg_1/pending"]);
  }),

  one(
    "[J2] a refused file writes nothing, neither to the package nor to its keys",
    async (records) => {
      const { packages, soundKeys } = records;
      await register(records, "device-1");
      const stored = await put(records, uploaded(packageOf("pkg_1", { sizes: [1, 2] })));
      await soundKeys.addPending("pkg_1/new", T0 + HOUR);
      const committedAlready = await put(records, committed(packageOf("pkg_2"), T0));
      await soundKeys.addPending("pkg_2/new", T0 + HOUR);
      assert.equal((await addFile(records, committedAlready, "pkg_2/new")).kind, "changed");
      assert.equal((await addFile(records, stored, "pkg_1/none")).kind, "key-gone");
      const tokenHash = "revoked";
      assert.equal((await addFile(records, stored, "pkg_1/new", { tokenHash })).kind, "changed");
      assert.deepEqual(await packages.find("pkg_1"), stored);
      assert.deepEqual(await packages.find("pkg_2"), committedAlready);
      assert.deepEqual(await soundKeys.list({ state: "doomed", limit: 10 }), []);
      const replaced = await addFile(records, stored, "pkg_1/new");
      assert.deepEqual(replaced, { kind: "added", doomed: ["pkg_1/snd_1"] });
      assert.deepEqual(await soundKeys.list({ state: "doomed", limit: 10 }), ["pkg_1/snd_1"]);
    },
  ),

  one("[J2] dooms the pending keys that have ended, and no key of a package", async (records) => {
    const { packages, soundKeys } = records;
    await register(records, "device-1");
    const { packageId, uploaded: first } = uploaded(packageOf("pkg_1"));
    const stored = await put(records, {
      ...packageOf(packageId, { sizes: [100, 1] }),
      uploaded: first,
    });
    await soundKeys.addPending("pkg_1/ends", T0);
    await soundKeys.addPending("pkg_1/runs", T0 + 1);
    await soundKeys.doom({ endedBy: T0 - 1 });
    assert.deepEqual(await soundKeys.list({ state: "doomed", limit: 10 }), []);
    await soundKeys.doom({ endedBy: T0 });
    assert.deepEqual(await soundKeys.list({ state: "doomed", limit: 10 }), ["pkg_1/ends"]);
    const { kind } = await addFile(records, stored, "pkg_1/runs", { index: 1 });
    assert.equal(kind, "added", "A pending key was deleted before its end.");
    await soundKeys.doom({ endedBy: T0 + 1000 * HOUR });
    assert.deepEqual(await soundKeys.list({ state: "doomed", limit: 10 }), ["pkg_1/ends"]);
    const { uploaded: found } = withKeys(stored, "pkg_1/snd_1", "pkg_1/runs");
    assert.deepEqual((await packages.find("pkg_1"))?.uploaded, found);
  }),

  one(
    "[J2] pending keys outlive a restart, and can then become part of a package",
    async (records, reopen) => {
      await register(records, "device-1");
      const record = packageOf("pkg_1");
      await insert(records, record);
      await records.soundKeys.addPending("pkg_1/snd_1", T0);
      const { kind } = await addFile(await reopen(), record, "pkg_1/snd_1");
      assert.equal(kind, "added", "A pending key was deleted.");
    },
  ),

  one("[J2] removing a package dooms its keys in the same step", async (records, reopen) => {
    await register(records, "device-1");
    const stored = await put(records, committed(packageOf("pkg_1", { sizes: [1, 2] }), T0));
    assert.equal(await records.packages.remove("pkg_1", stored.version - 1), undefined);
    assert.deepEqual(await doomedOf(records), [], "A refused removal doomed keys.");
    const removed = await records.packages.remove("pkg_1", stored.version);
    assert.deepEqual(removed?.doomed.toSorted(), ["pkg_1/snd_1", "pkg_1/snd_2"]);
    assert.deepEqual(await doomedOf(records), ["pkg_1/snd_1", "pkg_1/snd_2"]);
    assert.deepEqual(await doomedOf(await reopen()), ["pkg_1/snd_1", "pkg_1/snd_2"]);
  }),

  one(
    "[Z14] a withdrawal, an unpairing and the removal of a device doom what the quarantine has",
    async (records) => {
      const { packages, pairings } = records;
      await register(records, "device-1");
      const { pairingId } = await pair(records, "device-1");
      const ways: Readonly<Record<string, () => Promise<DoomedKeys | undefined>>> = {
        withdrawn: () => packages.remove("withdrawn", 1, true),
        unpaired: () => pairings.unpair({ deviceId: "device-1", pairingId }, T0),
        abandoned: () => pairings.removeDevice("device-1"),
      };
      for (const [packageId, act] of Object.entries(ways)) {
        await insert(records, packageOf(packageId));
        assert.deepEqual((await act())?.doomed, [quarantinedOf(packageId)]);
        assert.ok((await doomedOf(records)).includes(quarantinedOf(packageId)));
      }
    },
  ),

  one("[J2] a package whose files are deleted dooms its keys, once", async (records) => {
    const { packages, soundKeys } = records;
    await register(records, "device-1");
    const record = committed(packageOf("pkg_1", { sizes: [1, 2] }), T0);
    const stored = await put(records, { ...record, filesDeleted: true });
    assert.deepEqual(await doomedOf(records), ["pkg_1/snd_1", "pkg_1/snd_2"]);
    await soundKeys.remove(["pkg_1/snd_1", "pkg_1/snd_2"]);
    const again = await packages.update({ ...stored, results: {} });
    assert.equal(again, "updated");
    assert.deepEqual(await doomedOf(records), [], "A later update doomed removed keys again.");
    await packages.remove("pkg_1", stored.version + 1);
    assert.deepEqual(await doomedOf(records), [], "The removal doomed removed keys again.");
  }),

  one("[J2] removes pending and doomed keys, and ignores others", async (records) => {
    const { packages, soundKeys } = records;
    await register(records, "device-1");
    const stored = await put(records, uploaded(packageOf("pkg_1")));
    await soundKeys.addPending("pkg_1/doomed", T0);
    await soundKeys.addPending("pkg_1/kept", T0);
    await soundKeys.doom({ endedBy: T0 });
    await soundKeys.addPending("pkg_1/pending", T0);
    await soundKeys.remove(["pkg_1/doomed", "pkg_1/pending", "pkg_1/snd_1", "pkg_1/none"]);
    await soundKeys.remove([]);
    await soundKeys.doom({ endedBy: T0 });
    assert.deepEqual(await doomedOf(records), ["pkg_1/kept"]);
    assert.deepEqual(await packages.find("pkg_1"), stored);
    await assert.rejects(soundKeys.addPending("pkg_1/snd_1", T0), "A package's key was removed.");
  }),

  one("[J2] lists doomed keys page by page, in the order of the keys", async ({ soundKeys }) => {
    const keys = Array.from(
      { length: 25 },
      (_, index) => `pkg_1/${String(index).padStart(2, "0")}`,
    );
    for (const key of keys.toReversed()) await soundKeys.addPending(key, T0);
    await soundKeys.doom({ endedBy: T0 });
    const listed: string[] = [];
    for (let after: string | undefined; ; after = listed.at(-1)) {
      const page = await soundKeys.list({ state: "doomed", after, limit: 10 });
      assert.ok(page.length <= 10, "A page is longer than its limit.");
      if (page.length === 0) break;
      listed.push(...page);
    }
    assert.deepEqual(listed, keys);
    assert.deepEqual(await soundKeys.list({ state: "doomed", limit: 3 }), keys.slice(0, 3));
  }),
];

/** Returns the same package with these keys uploaded, one per sound. */
export function withKeys(record: PackageRecord, ...keys: readonly string[]): PackageRecord {
  return {
    ...record,
    uploaded: new Map(keys.map((key, index) => [`sound ${index + 1}.wav`, key])),
  };
}

function doomedOf({ soundKeys }: Pick<RecordStore, "soundKeys">): Promise<readonly string[]> {
  return soundKeys.list({ state: "doomed", limit: 100 });
}

/** Returns the keys that name sounds. The others mean what the quarantine has of a package. */
export function keysOfSounds(keys: readonly string[] = []): readonly string[] {
  return keys.filter((key) => !isQuarantinedOf(key)).toSorted();
}
