import { expect, test } from "vitest";
import type { PackageRecord } from "../../../../relay/domain/ports.ts";
import { statusAnswer, statusJson } from "../../../../relay/domain/packages/read-status.ts";

const HOUR = 3_600_000;

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
    room: null,
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
