import { describe, expect, test } from "vitest";
import {
  renewPackageLease,
  takePackage,
} from "../../../../relay/domain/packages/import-package.ts";
import { DAY, MINUTE, T0 } from "../../../contracts/relay/records/sample-records.ts";
import { announced, beforeNextWrite, recordOf, register } from "../use-cases.ts";
import { waitingPackage } from "./waiting-package.ts";

const LEASE = 5 * MINUTE;

describe("taking", () => {
  test("[S2] holds a package for five minutes, and notifies of a new hold only", async () => {
    await using relay = await waitingPackage();
    const taken = await relay.take({ run_id: "a" });
    expect(taken.life.lease).toEqual({ runId: "a", endsAt: T0 + LEASE });
    expect(await relay.lease()).toEqual(taken.life.lease);
    expect(relay.cases.notified).toEqual(relay.changed);
    relay.cases.clock.time += MINUTE;
    await relay.take({ run_id: "a" });
    expect(await relay.lease()).toEqual({ runId: "a", endsAt: T0 + MINUTE + LEASE });
    expect(relay.cases.notified).toEqual(relay.changed);
  });

  test("[S2] by another run is refused with the seconds left, unless it is forced", async () => {
    await using relay = await waitingPackage();
    await relay.take({ run_id: "a" });
    relay.cases.clock.time += 500;
    for (const force of [undefined, false, "true", 1]) {
      await expect(relay.take({ run_id: "b", force })).rejects.toMatchObject({
        code: "RUN_ELSEWHERE",
        status: 409,
        message: "Another import is running. Try again in 300 s.",
        extras: { retryAfterSeconds: 300, body: { expires_in: 300 } },
      });
    }
    expect(await relay.lease()).toMatchObject({ runId: "a" });
    relay.cases.notified.length = 0;
    await relay.take({ run_id: "b", force: true });
    expect(await relay.lease()).toMatchObject({ runId: "b" });
    expect(relay.cases.notified).toEqual(relay.changed);
  });

  test("[S2] without a run id counts as one run of its own", async () => {
    await using relay = await waitingPackage();
    for (const request of [undefined, null, {}, []]) await relay.take(request);
    expect(await relay.lease()).toMatchObject({ runId: "" });
    await expect(relay.take({ run_id: "a" })).rejects.toMatchObject({ code: "RUN_ELSEWHERE" });
    await relay.take({ run_id: "a", force: true });
    await expect(relay.take({})).rejects.toMatchObject({ code: "RUN_ELSEWHERE" });
    await expect(relay.take([])).rejects.toMatchObject({ code: "RUN_ELSEWHERE" });
    await relay.take({ force: true });
    expect(await relay.lease()).toMatchObject({ runId: "" });
  });

  test("[S2] with a run id that is no text of 1 to 100 characters is 422", async () => {
    await using relay = await waitingPackage();
    for (const runId of ["", "x".repeat(101), 5, null]) {
      await expect(relay.take({ run_id: runId })).rejects.toMatchObject({
        code: "RUN_ID_WRONG",
        status: 422,
      });
    }
    await relay.take({ run_id: "x".repeat(100) });
  });

  test("[S2] a package that is another computer's, is not committed or has expired is refused", async () => {
    await using relay = await waitingPackage();
    const { cases, context, app, packageId } = relay;
    const { deviceId: elsewhere } = await register(cases);
    await expect(takePackage(context, elsewhere, packageId, {})).rejects.toMatchObject({
      code: "PACKAGE_UNKNOWN",
    });
    const { package_id: uploading } = await announced(cases, app);
    await expect(takePackage(context, app.deviceId, uploading, {})).rejects.toMatchObject({
      code: "PACKAGE_NOT_COMMITTED",
    });
    cases.clock.time = T0 + DAY;
    await expect(relay.take({})).rejects.toMatchObject({ code: "PACKAGE_EXPIRED" });
  });
});

describe("a hold", () => {
  test("[S2] is renewed by a sign of life once that gains a twentieth of the lease", async () => {
    await using relay = await waitingPackage();
    await relay.take({ run_id: "a" });
    relay.cases.clock.time = T0 + LEASE / 20 - 1;
    await renewPackageLease(relay.context, relay.packageId);
    expect(await relay.lease()).toEqual({ runId: "a", endsAt: T0 + LEASE });
    relay.cases.clock.time = T0 + LEASE / 20;
    await renewPackageLease(relay.context, relay.packageId);
    expect(await relay.lease()).toEqual({ runId: "a", endsAt: T0 + LEASE / 20 + LEASE });
  });

  test("[S2] that ended, or that nobody has, is not begun again by a sign of life", async () => {
    await using relay = await waitingPackage();
    const before = await recordOf(relay.cases, relay.packageId);
    await renewPackageLease(relay.context, relay.packageId);
    expect(await recordOf(relay.cases, relay.packageId)).toEqual(before);
    await relay.take({ run_id: "a" });
    relay.cases.clock.time = T0 + LEASE;
    await renewPackageLease(relay.context, relay.packageId);
    expect(await relay.lease()).toEqual({ runId: "a", endsAt: T0 + LEASE });
  });

  test("[S2] a sign of life of a package that is gone, or that just changed, does nothing", async () => {
    await using relay = await waitingPackage();
    await renewPackageLease(relay.context, "pkg_gone");
    await relay.take({ run_id: "a" });
    relay.cases.clock.time = T0 + MINUTE;
    beforeNextWrite(relay.cases, "update", () => relay.report({}));
    await renewPackageLease(relay.context, relay.packageId);
    expect(await relay.lease()).toBeNull();
  });
});
