import { expect, test } from "vitest";
import { MAX_PACKAGE_BYTES } from "../../../../core/limits.ts";
import { callingApp } from "../../../../relay/domain/caller.ts";
import { readPackagesLeft, readRoom } from "../../../../relay/domain/packages/room.ts";
import { DAY, HOUR, MINUTE } from "../../../contracts/relay/records/sample-records.ts";
import { manifestOf } from "../../../manifest-of.ts";
import { announced, openUseCases, pairedApp, send, wavOf } from "../use-cases.ts";

test("[A4] tells what an announcement has room for now, as it would be judged", async () => {
  await using cases = await openUseCases({ waitingPerDevice: 1 });
  const { context } = cases;
  const app = await pairedApp(cases);
  const caller = callingApp(app, "192.0.2.1");
  context.sounds.room = async () => 10_000;
  // A quarter is the proven's, and a twentieth of the rest is for uploads that go on.
  expect(await readRoom(context, app, caller)).toEqual({
    bytes_left: 7125,
    waiting_left: 1,
    package_bytes_max: MAX_PACKAGE_BYTES,
  });
  await announced(cases, app, manifestOf({ "kick.wav": wavOf(1000) }));
  expect(await readRoom(context, app, caller)).toMatchObject({ bytes_left: 6125 });
  await send(cases, app);
  expect(await readRoom(context, app, caller)).toMatchObject({ waiting_left: 0 });
  const fewer = { ...context, policy: { ...context.policy, waitingPerDevice: 0 } };
  expect(await readRoom(fewer, app, caller)).toMatchObject({ waiting_left: 0 });
});

test("[L1] tells how many packages are left in this hour, and when there are more", async () => {
  await using cases = await openUseCases({ packagesPerHour: 2 });
  const { context, clock } = cases;
  const app = await pairedApp(cases);
  const left = (max = 2) => {
    const policy = { ...context.policy, packagesPerHour: max };
    return readPackagesLeft({ ...context, policy }, app, callingApp(app, "192.0.2.1"));
  };
  expect(await left()).toEqual({ max: 2, remaining: 2, seconds: 0 });
  await announced(cases, app);
  clock.time += 10 * MINUTE;
  await announced(cases, app);
  expect(await left(3)).toEqual({ max: 3, remaining: 1, seconds: 0 });
  expect(await left()).toEqual({ max: 2, remaining: 0, seconds: 3000 });
  expect(await left(1)).toEqual({ max: 1, remaining: 0, seconds: 3000 });
  clock.time += HOUR - 10 * MINUTE;
  expect(await left()).toEqual({ max: 2, remaining: 1, seconds: 0 });
  clock.time += DAY;
  expect(await left(0)).toEqual({ max: 0, remaining: 0, seconds: 1 });
});
