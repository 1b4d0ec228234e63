import { expect, test } from "vitest";
import { sweep, unlinkExpiredFirst } from "../../../relay/domain/sweep.ts";
import { DAY, HOUR, insert, packageOf, T0 } from "../../../relay/testing/records/sample-records.ts";
import { announced, openUseCases, pairedApp, recordOf, send, storedKeys } from "./use-cases.ts";

test("[Z7] while the disk is full, packages without files don't keep the files of others", async () => {
  await using cases = await openUseCases();
  const { context, clock } = cases;
  const app = await pairedApp(cases);
  for (let at = 0; at < 1000; at += 1) {
    const { deviceId, appId } = app;
    await insert(context, packageOf(`pkg_${at}`, { deviceId, appId, createdAt: T0 - DAY }));
  }
  await send(cases, app);
  clock.time = T0 + DAY;
  await unlinkExpiredFirst(context);
  expect(await storedKeys(cases)).toEqual([]);
});

test("[S4] sweeps up everything that is due, however many packages there are", async () => {
  await using cases = await openUseCases({ packagesPerHour: 1000 });
  const app = await pairedApp(cases);
  const ids: string[] = [];
  for (let count = 0; count < 250; count += 1) {
    ids.push((await announced(cases, app)).package_id);
  }
  cases.clock.time = T0 + HOUR;
  await sweep(cases.context);
  for (const id of ids) expect(await recordOf(cases, id)).toMatchObject({ filesDeleted: true });
  cases.clock.time = T0 + 8 * DAY;
  await sweep(cases.context);
  for (const id of ids) expect(await cases.context.packages.find(id)).toBeUndefined();
});
