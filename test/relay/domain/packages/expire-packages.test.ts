import { expect, test } from "vitest";
import { expirePackages, sweep } from "../../../../relay/domain/upkeep/sweep.ts";
import { DAY, HOUR, MINUTE, T0 } from "../../../contracts/relay/records/sample-records.ts";
import { holdUntil } from "../upkeep/hold-until.ts";
import { doomedKeys, openUseCases, pairedApp, recordOf, send, storedKeys } from "../use-cases.ts";

/** Two packages of two sounds each that are due, on a store that frees room as the test says. */
async function duePackages(
  free: (keys: readonly string[], real: () => Promise<void>) => Promise<void>,
) {
  const cases = await openUseCases();
  const app = await pairedApp(cases);
  const ids = [await send(cases, app, ["a.wav", "b.wav"]), await send(cases, app, ["c.wav"])];
  const { sounds } = cases.context;
  const real = sounds.delete.bind(sounds);
  const doomedAfter: number[] = [];
  sounds.delete = async (keys, options) => {
    if (options?.mayReturn === true) return free(keys, () => real(keys, options));
    await real(keys);
    doomedAfter.push((await doomedKeys(cases)).length);
  };
  cases.clock.time = T0 + DAY;
  return { cases, ids, doomedAfter, [Symbol.asyncDispose]: () => cases[Symbol.asyncDispose]() };
}

test("[Z3] frees the room of what expires after its record says so, and leaves its key doomed until it is deleted for good", async () => {
  const before: unknown[] = [];
  await using due = await duePackages(async (_, real) => {
    for (const id of due.ids) before.push((await recordOf(due.cases, id)).filesDeleted);
    before.push((await doomedKeys(due.cases)).length);
    await real();
  });
  await expirePackages(due.cases.context);
  expect(before).toEqual([true, true, 3]);
  expect(await storedKeys(due.cases)).toEqual([]);
  expect(due.doomedAfter).toEqual([3]);
  expect(await doomedKeys(due.cases)).toEqual([]);
});

test("[Z3] a file whose room can't be freed is deleted by the same sweep", async () => {
  await using due = await duePackages(async () => {
    throw Object.assign(new Error("EPERM"), { code: "EPERM" });
  });
  await sweep(due.cases.context);
  expect(await storedKeys(due.cases)).toEqual([]);
  expect(await doomedKeys(due.cases)).toEqual([]);
});

test("[Z10] frees nothing while a backup is made", async () => {
  const freed: string[] = [];
  await using due = await duePackages(async (keys) => void freed.push(...keys));
  holdUntil(due.cases.context, () => T0 + DAY + MINUTE);
  await sweep(due.cases.context);
  expect(freed).toEqual([]);
  expect(await storedKeys(due.cases)).toHaveLength(3);
  expect(await doomedKeys(due.cases)).toHaveLength(3);
  due.cases.clock.time += HOUR;
  await sweep(due.cases.context);
  expect(await storedKeys(due.cases)).toEqual([]);
});
