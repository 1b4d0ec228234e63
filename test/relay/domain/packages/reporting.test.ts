import { describe, expect, test } from "vitest";
import { type Meter, NO_METER } from "../../../../relay/domain/meter.ts";
import { reportResults } from "../../../../relay/domain/packages/import-package.ts";
import { sweep } from "../../../../relay/domain/upkeep/sweep.ts";
import { DAY, HOUR, T0 } from "../../../contracts/relay/records/sample-records.ts";
import { announced, recordOf, register, storedKeys } from "../use-cases.ts";
import { waitingPackage } from "./waiting-package.ts";

describe("a report", () => {
  const IMPORTED = { status: "imported" };

  test("[S3] sets the true state, ends the hold and notifies; the same again changes nothing", async () => {
    await using relay = await waitingPackage(["a.wav", "b.wav"]);
    await relay.take({ run_id: "a" });
    relay.cases.notified.length = 0;
    expect(await relay.report({ 1: IMPORTED })).toBe("partial");
    expect(await relay.lease()).toBeNull();
    expect(relay.cases.notified).toEqual(relay.changed);
    const { version } = await recordOf(relay.cases, relay.packageId);
    expect(await relay.report({ 1: IMPORTED })).toBe("partial");
    expect(await recordOf(relay.cases, relay.packageId)).toMatchObject({ version });
    expect(relay.cases.notified).toEqual(relay.changed);
    expect(await relay.report({ 1: IMPORTED, 2: IMPORTED })).toBe("imported");
    expect(relay.cases.notified).toHaveLength(4);
    expect(await relay.status()).toMatchObject({
      status: "imported",
      results: { 1: IMPORTED, 2: IMPORTED },
    });
  });

  test("[S3] that says the same otherwise replaces the one before", async () => {
    await using relay = await waitingPackage(["a.wav", "b.wav"]);
    expect(await relay.report({})).toBe("failed");
    const error = "No room.";
    expect(await relay.report({ 2: { status: "failed", error } })).toBe("failed");
    expect((await relay.status()).results).toMatchObject({ 2: { status: "failed", error } });
  });

  test("[S3] that says the same again ends a hold that was taken in between", async () => {
    await using relay = await waitingPackage();
    await relay.report({ 1: IMPORTED });
    await relay.take({ run_id: "again" });
    await relay.report({ 1: IMPORTED });
    expect(await relay.lease()).toBeNull();
  });

  test("[S3] on a sound that the package does not have is 422, on another's package 404", async () => {
    await using relay = await waitingPackage();
    await expect(relay.report({ 2: IMPORTED })).rejects.toMatchObject({ code: "SOUND_UNKNOWN" });
    await expect(relay.report([])).rejects.toMatchObject({ code: "RESULTS_WRONG" });
    const { deviceId: elsewhere } = await register(relay.cases);
    await expect(
      reportResults(relay.context, { deviceId: elsewhere }, relay.packageId, { results: {} }),
    ).rejects.toMatchObject({ code: "PACKAGE_UNKNOWN" });
    const { package_id: uploading } = await announced(relay.cases, relay.app);
    await expect(
      reportResults(relay.context, relay.app, uploading, { results: {} }),
    ).rejects.toMatchObject({ code: "PACKAGE_NOT_COMMITTED" });
    expect((await relay.status()).status).toBe("waiting");
  });

  test("[K9] is measured the first time alone, in seconds since the commit", async () => {
    await using relay = await waitingPackage();
    const measured: Parameters<Meter["imported"]>[] = [];
    const meter: Meter = { ...NO_METER, imported: (...report) => void measured.push(report) };
    Object.assign(relay.context, { meter });
    relay.cases.clock.time += 90_000;
    await relay.report({ 1: IMPORTED });
    relay.cases.clock.time += 90_000;
    await relay.report({});
    expect(measured).toEqual([["imported", 90]]);

    await using early = await waitingPackage();
    Object.assign(early.context, { meter });
    early.cases.clock.time -= HOUR;
    await early.report({});
    expect(measured.at(-1)).toEqual(["failed", 0]);
  });

  test("[S9] is taken after the package expired, until its status is gone", async () => {
    await using relay = await waitingPackage();
    relay.cases.clock.time = T0 + DAY + HOUR;
    await sweep(relay.context);
    expect((await relay.status()).status).toBe("expired");
    expect(await relay.report({ 1: IMPORTED })).toBe("imported");
    expect((await relay.status()).status).toBe("imported");
    expect(await storedKeys(relay.cases)).toEqual([]);
    relay.cases.clock.time = T0 + 8 * DAY;
    await expect(relay.report({})).rejects.toMatchObject({ code: "PACKAGE_UNKNOWN" });
  });
});
