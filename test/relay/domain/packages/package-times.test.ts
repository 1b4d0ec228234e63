import { expect, test } from "vitest";
import { sweep } from "../../../../relay/domain/upkeep/sweep.ts";
import { MINUTE, T0 } from "../../../contracts/relay/records/sample-records.ts";
import { recordOf } from "../use-cases.ts";
import { listAll } from "./list-all.ts";
import { waitingPackage } from "./waiting-package.ts";

test("[AD12] lists write nothing; the next sweep notes each listed package once, and tries again", async () => {
  await using relay = await waitingPackage();
  const { context, cases, app, packageId } = relay;
  const noted: [string, number][][] = [];
  const noteListed = context.packages.noteListed.bind(context.packages);
  context.packages.noteListed = async (listed) => {
    noted.push([...listed]);
    if (noted.length === 1) throw new Error("The database is away.");
    await noteListed(listed);
  };
  for (let times = 0; times < 3; times += 1) {
    await listAll(context, app.deviceId);
    cases.clock.time += MINUTE;
  }
  expect(noted).toEqual([]);
  await expect(sweep(context)).rejects.toThrow("The database is away.");
  await sweep(context);
  expect(noted).toEqual([[[packageId, T0]], [[packageId, T0]]]);
  await listAll(context, app.deviceId);
  await sweep(context);
  expect(noted).toHaveLength(2);
});

test("[AD12] a package has the time of its last run and of its last report", async () => {
  await using relay = await waitingPackage();
  const { cases, packageId } = relay;
  const times = async () => {
    const { takenAt, reportedAt } = await recordOf(cases, packageId);
    return [takenAt, reportedAt];
  };
  expect(await times()).toEqual([null, null]);
  await relay.take({ run_id: "a" });
  cases.clock.time += MINUTE;
  // The same run renews its lease.
  await relay.take({ run_id: "a" });
  expect(await times()).toEqual([T0, null]);
  await relay.take({ run_id: "b", force: true });
  expect(await times()).toEqual([T0 + MINUTE, null]);
  for (let minute = 2; minute < 4; minute += 1) {
    cases.clock.time += MINUTE;
    await relay.report({ "1": { status: "imported", track: `Track ${minute}` } });
    expect(await times()).toEqual([T0 + MINUTE, T0 + minute * MINUTE]);
  }
  // The same report again changes nothing.
  cases.clock.time += MINUTE;
  await relay.report({ "1": { status: "imported", track: "Track 3" } });
  expect(await times()).toEqual([T0 + MINUTE, T0 + 3 * MINUTE]);
});
