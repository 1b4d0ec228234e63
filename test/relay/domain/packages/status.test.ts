import { describe, expect, test } from "vitest";
import { readStatus } from "../../../../relay/domain/packages/read-status.ts";
import { reportResults, takePackage } from "../../../../relay/domain/packages/import-package.ts";
import { DAY, HOUR, T0 } from "../../../contracts/relay/records/sample-records.ts";
import { announced, openUseCases, pairedApp, send, upload } from "../use-cases.ts";
import { manifestOf } from "../../../manifest-of.ts";

describe("a status", () => {
  test("[S7] has the package's title, times, files and results", async () => {
    await using cases = await openUseCases();
    const app = await pairedApp(cases);
    const { package_id: packageId } = await announced(cases, app, manifestOf(["a.wav", "b.wav"]));
    await upload(cases, app, packageId, { file: "b.wav" });
    cases.clock.time = T0 + 1500;
    const read = async () => JSON.parse(await readStatus(cases.context, app, packageId));
    const uploading = {
      package_id: packageId,
      title: "Kit",
      status: "uploading",
      created_at: "2026-01-01T00:00:00.000Z",
      expires_at: "2026-01-01T01:00:00.000Z",
      expires_in: 3599,
      files: { "a.wav": "missing", "b.wav": "uploaded" },
    };
    expect(await read()).toEqual(uploading);
    cases.clock.time = T0 + HOUR;
    const expired = { ...uploading, status: "expired", expires_at: null, expires_in: null };
    expect(await read()).toEqual(expired);
  });

  test("[S7] that is read again after a change says what is so now", async () => {
    await using cases = await openUseCases();
    const app = await pairedApp(cases);
    const packageId = await send(cases, app);
    const read = async () => JSON.parse(await readStatus(cases.context, app, packageId));
    expect(await read()).toMatchObject({ status: "waiting", expires_in: 86_400 });
    cases.clock.time = T0 + DAY - 1000;
    await takePackage(cases.context, app.deviceId, packageId, {});
    expect(await read()).toMatchObject({ status: "waiting", expires_in: 300 });
    await reportResults(cases.context, app.deviceId, packageId, { results: {} });
    expect(await read()).toMatchObject({ status: "failed", results: { 1: { status: "failed" } } });
  });
});
