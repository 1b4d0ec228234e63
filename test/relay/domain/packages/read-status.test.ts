import { describe, expect, test } from "vitest";
import {
  readStatus,
  statusAnswer,
  statusJson,
} from "../../../../relay/domain/packages/read-status.ts";
import { reportResults, takePackage } from "../../../../relay/domain/packages/import-package.ts";
import { DAY, HOUR, T0 } from "../../../contracts/relay/records/sample-records.ts";
import { announced, openUseCases, pair, pairedApp, register, send, upload } from "../use-cases.ts";
import { manifestOf } from "../../../manifest-of.ts";
import type { PackageRecord } from "../../../../relay/domain/ports.ts";

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
    await reportResults(cases.context, app, packageId, { results: {} });
    expect(await read()).toMatchObject({ status: "failed", results: { 1: { status: "failed" } } });
  });

  test("[S7] that is asked for again is there at once, without a promise: the token, the limit and the package are in memory", async () => {
    await using cases = await openUseCases();
    const { context } = cases;
    const { deviceId } = await register(cases);
    const token = await pair(cases, deviceId);
    const app = await context.known.app(token);
    const { package_id: packageId } = await announced(cases, app, manifestOf(["a.wav"]));
    await readStatus(context, app, packageId);
    const window = { max: 3, windowMs: 60_000 };
    expect(context.known.app(token)).toBe(app);
    expect(context.limits.take([{ bucket: "calls", key: app.tokenHash, window }])).toMatchObject({
      allowed: true,
    });
    expect(readStatus(context, app, packageId)).toBeTypeOf("string");
  });
});

function record(life: Partial<PackageRecord["life"]>): PackageRecord {
  const sound = { file: "kick.wav", bytes: 1, sha256: "0".repeat(64), id: "__proto__" };
  return {
    packageId: "pkg_1",
    deviceId: "dev_1",
    appId: "app",
    appName: "App",
    createdAt: 1000,
    manifest: { title: 'A "title"', items: [sound] } as unknown as PackageRecord["manifest"],
    life: {
      uploadEndsAt: HOUR,
      committedAt: null,
      waitEndsAt: null,
      outcome: null,
      lease: null,
      ...life,
    },
    uploaded: new Map(),
    results: null,
    isSpare: false,
    room: null,
    takenAt: null,
    reportedAt: null,
    filesDeleted: false,
    version: 1,
  };
}

test.each([
  ["uploading", {}],
  ["waiting", { committedAt: 5, waitEndsAt: 2 * HOUR }],
  ["imported", { committedAt: 5, waitEndsAt: 2 * HOUR, outcome: "imported" as const }],
  ["taken", { committedAt: 5, waitEndsAt: HOUR, lease: { runId: "", endsAt: 2 * HOUR } }],
])("[S7] the cached text of a package that is %s is correct at any time", (_, life) => {
  const asked = record(life);
  for (const now of [0, 1, 999, 1000, 1001, HOUR - 1, HOUR, 2 * HOUR - 1, 2 * HOUR, 0]) {
    const times = { now, leaseMs: HOUR };
    expect(JSON.parse(statusJson(asked, times))).toEqual(statusAnswer(asked, times));
  }
});

test("[S7] a package says that it is taken, only while a run holds it", () => {
  const life = { committedAt: 5, waitEndsAt: 2 * HOUR, lease: { runId: "r", endsAt: 10 } };
  const asked = record(life);
  const takenAt = (now: number) => JSON.parse(statusJson(asked, { now, leaseMs: HOUR })).taken;
  expect([9, 10, 9].map(takenAt)).toEqual([true, undefined, true]);
});
