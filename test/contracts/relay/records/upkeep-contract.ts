import assert from "node:assert/strict";
import type { RecordStore, StoreUpkeep } from "../../../../relay/domain/ports.ts";
import type { ContractCase, MakeStore } from "../contract.ts";
import { one, onStore, type RecordsCase, two } from "./records-case.ts";
import { HOUR, insert, packageOf, put, register, T0, updated, uploaded } from "./sample-records.ts";

const ONE = { instanceId: "ins_one", isBound: false };
const TWO = { instanceId: "ins_two", isBound: true };

const CASES: readonly RecordsCase[] = [
  one(
    "[Z1] belongs to no instance at the start, and then to the last one",
    async (records, reopen) => {
      const upkeep = upkeepOf(records);
      assert.equal((await upkeep.read()).instance, undefined);
      await upkeep.keep({ instance: ONE });
      assert.deepEqual((await upkeep.read()).instance, ONE);
      await upkeep.keep({ instance: TWO });
      assert.deepEqual((await upkeepOf(await reopen()).read()).instance, TWO);
    },
  ),

  one(
    "[Z1] remembers that it served a device, also after that is gone",
    async (records, reopen) => {
      assert.equal((await upkeepOf(records).read()).hasServed, false);
      await register(records, "device-1");
      assert.equal((await upkeepOf(records).read()).hasServed, true);
      await records.pairings.removeDevice("device-1");
      assert.equal((await upkeepOf(await reopen()).read()).hasServed, true);
    },
  ),

  one("[Z6] keeps the time", async (records, reopen) => {
    assert.equal((await upkeepOf(records).read()).time, undefined);
    await upkeepOf(records).keep({ time: T0 });
    await upkeepOf(records).keep({ time: T0 + 1 });
    assert.equal((await upkeepOf(await reopen()).read()).time, T0 + 1);
  }),

  two("[Z1] the first of two proposed instances counts for both", async (own, other) => {
    const proposed = await Promise.all(
      [own, other].map((records, index) => upkeepOf(records).proposeInstance(`ins_${index}`)),
    );
    const [instanceId = ""] = proposed;
    assert.deepEqual(proposed, [instanceId, instanceId]);
    const kept = { instanceId, isBound: false };
    assert.deepEqual((await upkeepOf(own).read()).instance, kept);
    await upkeepOf(own).keep({ instance: TWO });
    assert.equal(await upkeepOf(other).proposeInstance("ins_late"), TWO.instanceId);
    assert.deepEqual((await upkeepOf(other).read()).instance, TWO);
  }),

  two(
    "[Z6][J7] a mark of a reset reaches every process, and changes nothing else",
    async (own, other, eventually) => {
      let heard = 0;
      const stop = other.changes.watch(() => (heard += 1));
      await upkeepOf(own).keep({ instance: TWO, time: T0 + 1 });
      const before = await upkeepOf(own).read();
      assert.equal(before.wasTimeReset, false);
      heard = 0;
      await upkeepOf(own).keep({ time: T0, wasTimeReset: true });
      await eventually("another process hears of the reset.", () => heard > 0);
      const marked = { ...before, time: T0, wasTimeReset: true };
      for (const records of [own, other]) assert.deepEqual(await upkeepOf(records).read(), marked);
      await upkeepOf(other).keep({ time: T0 + 2, wasTimeReset: false });
      assert.deepEqual(await upkeepOf(own).read(), { ...before, time: T0 + 2 });
      stop();
    },
  ),

  two("[Z16] one holder scrubs at a time, and the next continues there", async (own, other) => {
    const keep = (records: RecordStore, holder: string, now: number, after?: string) =>
      upkeepOf(records).keepScrub({
        holder,
        now,
        until: now + 5,
        latestEnd: now + 10,
        progress:
          after === undefined ? undefined : { after, compared: 1, differing: 2, finishedAt: 3 },
      });
    assert.equal((await keep(own, "one", T0))?.after, "");
    assert.equal((await keep(own, "one", T0 + 1, "pkg_1"))?.after, "pkg_1");
    assert.equal(await keep(other, "two", T0 + 2, "pkg_0"), undefined);
    const { after, compared, differing, finishedAt } = (await keep(other, "two", T0 + 6)) ?? {};
    assert.deepEqual(
      { after, compared, differing, finishedAt },
      {
        after: "pkg_1",
        compared: 1,
        differing: 2,
        finishedAt: 3,
      },
    );
    assert.equal(await keep(own, "one", T0 + 7, "pkg_2"), undefined);
    assert.equal((await keep(own, "one", T0 - HOUR))?.after, "pkg_1", "A hold of a wrong clock.");
    const held = await Promise.all([own, other].map((each, at) => keep(each, `at ${at}`, T0)));
    assert.equal(held.filter((each) => each !== undefined).length, 1);
    assert.equal((await upkeepOf(own).read()).isScrubHalted, false);
    await upkeepOf(own).keep({ isScrubHalted: true });
    assert.equal((await upkeepOf(other).read()).isScrubHalted, true);
  }),

  two("[Z4] knows every key that is pending, doomed or part of a package", async (own, other) => {
    await register(own, "device-1");
    await put(own, uploaded(packageOf("pkg_1", { sizes: [100, 200] })));
    await own.soundKeys.addPending("pkg_2/snd_doomed", T0);
    await own.soundKeys.doom({ endedBy: T0 });
    await own.soundKeys.addPending("pkg_2/snd_pending", T0 + HOUR);
    const known = ["pkg_1/snd_1", "pkg_1/snd_2", "pkg_2/snd_doomed", "pkg_2/snd_pending"];
    const unknown = ["pkg_1/snd_3", "pkg_3/snd_1"];
    for (const records of [own, other]) {
      const found = await upkeepOf(records).findUnknown([...known, ...unknown]);
      assert.deepEqual(found.toSorted(), unknown);
      assert.deepEqual(await upkeepOf(records).findUnknown([]), []);
    }
    await own.soundKeys.remove(["pkg_2/snd_doomed", "pkg_2/snd_pending"]);
    const removed = await upkeepOf(own).findUnknown(known);
    assert.deepEqual(removed.toSorted(), ["pkg_2/snd_doomed", "pkg_2/snd_pending"]);
  }),

  two("[Z4] lists the keys that are pending until a time, page by page", async (own, other) => {
    const add = (key: string, endsAt: number) => own.soundKeys.addPending(key, endsAt);
    await add("pkg_1/snd_doomed", T0 - 1);
    await own.soundKeys.doom({ endedBy: T0 - 1 });
    for (const key of ["pkg_1/snd_c", "pkg_1/snd_B", "pkg_1/snd_a"]) await add(key, T0);
    await add("pkg_1/snd_later", T0 + 1);
    for (const records of [own, other]) {
      const list = (after: string | undefined) =>
        records.soundKeys.list({ state: "pending", endedBy: T0, after, limit: 2 });
      assert.deepEqual(await list(undefined), ["pkg_1/snd_B", "pkg_1/snd_a"]);
      assert.deepEqual(await list("pkg_1/snd_a"), ["pkg_1/snd_c"]);
    }
  }),

  one("[Z9] lists the packages that have files, page by page", async (records) => {
    await register(records, "device-1");
    await insert(records, packageOf("pkg_0"));
    for (const id of ["pkg_3", "pkg_1", "pkg_2"]) await put(records, uploaded(packageOf(id)));
    const deleted = await put(records, uploaded(packageOf("pkg_4")));
    await updated(records, { ...deleted, filesDeleted: true });
    const upkeep = upkeepOf(records);
    const first = await upkeep.listWithFiles({ limit: 2 });
    assert.deepEqual(
      first.map(({ packageId }) => packageId),
      ["pkg_1", "pkg_2"],
    );
    const rest = await upkeep.listWithFiles({ after: "pkg_2", limit: 2 });
    assert.deepEqual(rest, [
      {
        packageId: "pkg_3",
        uploaded: new Map([["sound 1.wav", "pkg_3/snd_1"]]),
        announced: new Map([["pkg_3/snd_1", { bytes: 100, sha256: "ab".repeat(32) }]]),
      },
    ]);
  }),
];

/** Makes the extra cases for a `RecordStore` that has `upkeep`. */
export function upkeepContract(make: MakeStore<RecordStore>): readonly ContractCase[] {
  return onStore(make, CASES);
}

function upkeepOf({ upkeep }: RecordStore): StoreUpkeep {
  assert.ok(upkeep, "The store has no upkeep.");
  return upkeep;
}
