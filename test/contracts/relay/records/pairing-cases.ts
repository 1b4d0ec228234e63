import assert from "node:assert/strict";
import type { PackageLife } from "../../../../core/protocol/package-state.ts";
import type { PairingRecord } from "../../../../relay/domain/ports.ts";
import { one, type OpenedRecords } from "./records-case.ts";
import {
  committed,
  DAY,
  HOUR,
  MINUTE,
  packageOf,
  pair,
  put,
  register,
  T0,
  updated,
  uploaded,
} from "./sample-records.ts";
import { keysOfSounds } from "./sound-key-cases.ts";

/** The promises of `PairingRecords` about pairings and tokens (rules A3, P5, P7). */
export const PAIRING_CASES = [
  one(
    "[P5] pairing an app again keeps the pairing and its tokens, and takes the newest name",
    async (records) => {
      const { pairings } = records;
      await register(records, "device-1");
      const first = await pair(records, "device-1", { appName: "Old", tokenHash: "one" });
      const now = T0 + DAY;
      const later = await pair(records, "device-1", { appName: "New", tokenHash: "two", now });
      assert.deepEqual(later, { ...first, appName: "New", pairedAt: now, lastSeenAt: now });
      assert.deepEqual(await pairings.findApp("one"), later);
      assert.deepEqual(await pairings.findApp("two"), later);
      assert.equal((await pairings.listPairings("device-1")).length, 1);
    },
  ),

  one(
    "[P5] a pairing keeps its ten newest tokens, apart from other apps' tokens",
    async (records) => {
      await register(records, "device-1");
      await pair(records, "device-1", { appId: "other", tokenHash: "of another app" });
      const tokens = Array.from({ length: 12 }, (_, index) => `token ${index + 1}`);
      // All have the same timestamp: the order of the claims decides which is oldest, not the clock.
      for (const tokenHash of tokens) await pair(records, "device-1", { tokenHash });
      const works = [];
      for (const token of tokens) {
        if (await records.pairings.findApp(token)) works.push(token);
      }
      assert.deepEqual(works, tokens.slice(2));
      assert.ok(await records.pairings.findApp("of another app"));
    },
  ),

  one(
    "[P5] removing a token removes only that one, and the last one removes the pairing",
    async ({ pairings }) => {
      await register({ pairings }, "device-1");
      for (const tokenHash of ["one", "two"]) await pair({ pairings }, "device-1", { tokenHash });
      const [pairing] = await pairings.listPairings("device-1");
      const notLast = { ended: undefined, doomed: [] };
      assert.deepEqual(await pairings.unpair({ tokenHash: "none" }, T0), undefined);
      assert.deepEqual(await pairings.unpair({ tokenHash: "one" }, T0), notLast);
      assert.equal(await pairings.findApp("one"), undefined);
      assert.ok(await pairings.findApp("two"), "Another token of the pairing is gone.");
      const { waitingPackages, ...ended } = pairing ?? assert.fail("The app isn't listed.");
      assert.equal(waitingPackages, 0);
      assert.deepEqual(await pairings.unpair({ tokenHash: "two" }, T0), { ended, doomed: [] });
      assert.deepEqual(await pairings.listPairings("device-1"), []);
      assert.equal(await pairings.unpair({ tokenHash: "two" }, T0), undefined);
    },
  ),

  one(
    "[A3] exactly one of two removals of a pairing's last two tokens reports the last",
    async (records) => {
      await register(records, "device-1");
      await pair(records, "device-1", { tokenHash: "one" });
      await pair(records, "device-1", { tokenHash: "two" });
      const removals = ["one", "two"].map((tokenHash) =>
        records.pairings.unpair({ tokenHash }, T0),
      );
      const outcomes = await Promise.all(removals);
      assert.equal(outcomes.filter((outcome) => outcome?.ended !== undefined).length, 1);
    },
  ),

  one(
    "[P7] unpairing revokes every token of the pairing, on its own device only",
    async (records) => {
      const { pairings } = records;
      await register(records, "device-1");
      await register(records, "device-2");
      await pair(records, "device-1", { tokenHash: "one" });
      const paired = await pair(records, "device-1", { tokenHash: "two" });
      const { deviceName: _, ...pairing } = paired;
      const { pairingId } = pairing;
      assert.equal(await pairings.unpair({ deviceId: "device-2", pairingId }, T0), undefined);
      assert.ok(await pairings.findApp("one"), "Another device unpaired the app.");

      const removed = await pairings.unpair({ deviceId: "device-1", pairingId }, T0);
      assert.deepEqual(removed, { ended: pairing, doomed: [] });
      assert.equal(await pairings.findApp("one"), undefined);
      assert.equal(await pairings.findApp("two"), undefined);
      assert.equal(await pairings.unpair({ deviceId: "device-1", pairingId }, T0), undefined);
    },
  ),

  one("[P7] a pairing records when it was last seen", async (records) => {
    const { pairings } = records;
    await register(records, "device-1");
    const { deviceName: _, ...pairing } = await pair(records, "device-1");
    for (const time of [T0 + DAY, T0 + MINUTE]) {
      await pairings.noteSeen({
        devices: new Map([["gone", time]]),
        pairings: new Map([[pairing.pairingId, time]]),
      });
    }
    const seen = { ...pairing, lastSeenAt: T0 + DAY };
    assert.deepEqual(await pairings.listPairings("device-1"), [{ ...seen, waitingPackages: 0 }]);
  }),

  one(
    "[SEC6] lists pairings not seen since a time, and unpairs one only if it still wasn't",
    async (records) => {
      const { pairings } = records;
      await register(records, "device-1");
      await register(records, "device-2");
      const old = await pair(records, "device-1", { tokenHash: "old" });
      const other = await pair(records, "device-2", { tokenHash: "other" });
      const late = await pair(records, "device-1", {
        appId: "late",
        tokenHash: "late",
        now: T0 + 1,
      });
      const idsOf = ({ deviceId, pairingId }: Pick<PairingRecord, "deviceId" | "pairingId">) => ({
        deviceId,
        pairingId,
      });
      const listed = async (since: number, limit = 9) =>
        (await pairings.listUnseen(since, limit))
          .map(idsOf)
          .toSorted((one, two) => (one.pairingId < two.pairingId ? -1 : 1));
      assert.deepEqual(await listed(T0), []);
      assert.deepEqual(await listed(T0 + 1), [idsOf(old), idsOf(other)]);
      assert.equal((await listed(T0 + 2, 2)).length, 2);
      assert.equal((await listed(T0 + 2)).length, 3);

      await pairings.noteSeen({ devices: new Map(), pairings: new Map([[old.pairingId, T0 + 1]]) });
      const unseenSince = T0 + 1;
      assert.equal(await pairings.unpair({ ...idsOf(old), unseenSince }, T0 + DAY), undefined);
      assert.ok(await pairings.findApp("old"), "An app that was seen is unpaired.");
      const ended = await pairings.unpair({ ...idsOf(other), unseenSince }, T0 + DAY);
      assert.equal(ended?.ended?.pairingId, other.pairingId);
      assert.equal(await pairings.findApp("other"), undefined);
      assert.deepEqual(await listed(T0 + 2), [idsOf(late), idsOf(old)]);
    },
  ),

  one(
    "[A3][J2] removing the last token deletes what the app is uploading and dooms its keys",
    async (records) => {
      const { pairings } = records;
      await putAppsPackages(records);
      await pair(records, "device-1", { tokenHash: "one" });
      await pair(records, "device-1", { tokenHash: "last" });
      assert.deepEqual((await pairings.unpair({ tokenHash: "one" }, T0))?.doomed, []);
      await assertLeft(records, ["mine", "later", ...KEPT]);
      const last = await pairings.unpair({ tokenHash: "last" }, T0 + HOUR - 1);
      assert.deepEqual(keysOfSounds(last?.doomed), ["later/snd_1", "mine/snd_1"]);
      await assertLeft(records, KEPT);
    },
  ),

  one(
    "[P7][A3][J2] unpairing by its person deletes what the app is uploading and what waits, at its exact millisecond",
    async (records) => {
      const { pairings } = records;
      await putAppsPackages(records);
      const { pairingId } = await pair(records, "device-1");
      const [listed] = await pairings.listPairings("device-1");
      assert.equal(listed?.waitingPackages, 1);
      const removed = await pairings.unpair({ deviceId: "device-1", pairingId }, T0 + HOUR);
      assert.deepEqual(keysOfSounds(removed?.doomed), ["later/snd_1", "waits/snd_1"]);
      await assertLeft(records, ["mine", "another's", "elsewhere"]);
    },
  ),

  one(
    "[A3] unpairing keeps what a run holds, what was reported and what has expired",
    async (records) => {
      const { pairings, packages } = records;
      await register(records, "device-1");
      const waits = (id: string, createdAt = T0) =>
        put(records, committed(uploaded(packageOf(id, { createdAt })), createdAt));
      for (const id of ["held", "was-held", "reported"]) await waits(id);
      await waits("expired", T0 - DAY);
      const change = async (id: string, life: Partial<PackageLife>) => {
        const record = await packages.find(id);
        assert.ok(record);
        await updated(records, { ...record, life: { ...record.life, ...life } });
      };
      await change("held", { lease: { runId: "r", endsAt: T0 + 1 } });
      await change("was-held", { lease: { runId: "r", endsAt: T0 } });
      await change("reported", { outcome: "failed" });
      const { pairingId } = await pair(records, "device-1");
      const removed = await pairings.unpair({ deviceId: "device-1", pairingId }, T0);
      assert.deepEqual(keysOfSounds(removed?.doomed), ["was-held/snd_1"]);
      const left = ["held", "was-held", "reported", "expired"].map(async (id) => packages.find(id));
      const found = (await Promise.all(left)).map((record) => record?.packageId);
      assert.deepEqual(found, ["held", undefined, "reported", "expired"]);
    },
  ),

  one("[Z5] unpairing keeps a package whose files are deleted, at any time", async (records) => {
    await register(records, "device-1");
    const expired = uploaded(packageOf("expired"));
    await put(records, { ...expired, filesDeleted: true });
    const { pairingId } = await pair(records, "device-1");
    const removed = await records.pairings.unpair({ deviceId: "device-1", pairingId }, T0);
    assert.deepEqual(removed?.doomed, []);
    assert.ok(await records.packages.find("expired"), "An expired package went with its app.");
  }),
];

/** Packages that an unpairing of app-1 on device-1 leaves alone. */
const KEPT = ["another's", "elsewhere", "waits"];

/**
 * Stores two packages that app-1 uploads on device-1 until an hour and until an hour and a minute, and those that it
 * keeps.
 */
async function putAppsPackages(records: OpenedRecords): Promise<void> {
  await register(records, "device-1");
  await register(records, "device-2");
  await put(records, uploaded(packageOf("mine")));
  await put(records, uploaded(packageOf("later", { createdAt: T0 + MINUTE })));
  await put(records, committed(packageOf("waits"), T0));
  await put(records, uploaded(packageOf("another's", { appId: "app-2" })));
  await put(records, uploaded(packageOf("elsewhere", { deviceId: "device-2" })));
}

/** Asserts that exactly these packages are left, and that exactly the others' keys are doomed. */
async function assertLeft(records: OpenedRecords, packageIds: readonly string[]): Promise<void> {
  const gone = ["another's", "elsewhere", "later", "mine", "waits"].filter(
    (id) => !packageIds.includes(id),
  );
  for (const id of packageIds) assert.ok(await records.packages.find(id), `${id} was deleted.`);
  for (const id of gone) {
    assert.equal(await records.packages.find(id), undefined, `${id} is still there.`);
  }
  const keys = gone.map((id) => `${id}/snd_1`);
  const doomed = await records.soundKeys.list({ state: "doomed", limit: 10 });
  assert.deepEqual(keysOfSounds(doomed), keys);
}
