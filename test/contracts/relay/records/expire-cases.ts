import assert from "node:assert/strict";
import { one } from "./records-case.ts";
import { committed, DAY, HOUR, packageOf, put, register, T0 } from "./sample-records.ts";

/** What `PackageRecords` promises of `expire`, if it has it (rules S4, J2). */
export const EXPIRE_CASES = [
  one("[S4] expires what is due and nothing else, a limited number at once", async (records) => {
    const { packages, soundKeys } = records;
    if (packages.expire === undefined) return;
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
      ((await packages.expire?.(T0 + DAY + 3, limit)) ?? [])
        .map(({ packageId, deviceId }) => `${deviceId} ${packageId}`)
        .toSorted();
    assert.deepEqual(await ids(2), ["device-1 a", "device-1 b"]);
    assert.deepEqual(await ids(2), ["device-1 c"]);
    assert.deepEqual(await ids(2), []);
    const doomed = await soundKeys.listDoomed({ limit: 10 });
    assert.deepEqual(doomed, ["a/snd_1", "b/snd_1", "c/snd_1"]);
    assert.equal((await packages.find("a"))?.filesDeleted, true);
    for (const id of ["d", "e"]) assert.equal((await packages.find(id))?.filesDeleted, false);
  }),

  one("[S4] a change that was decided before an expiry is not written", async (records) => {
    const { packages } = records;
    if (packages.expire === undefined) return;
    await register(records, "device-1");
    const stored = await put(records, committed(packageOf("a"), T0));
    assert.equal((await packages.expire(T0 + DAY, 10)).length, 1);
    const lease = { runId: "run", endsAt: T0 + DAY + HOUR };
    const taken = { ...stored, life: { ...stored.life, lease } };
    assert.equal(await packages.update(taken), "changed");
  }),
];
