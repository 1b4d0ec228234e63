import { describe, expect, test } from "vitest";
import type { PackageStatus } from "../../core/protocol/package-status.ts";
import { instantPace, pairedClient, type StandInAnswer, startStandIn } from "./stand-in-relay.ts";

async function followScript(script: readonly (PackageStatus | StandInAnswer)[]): Promise<{
  statuses: string[];
  paths: string[];
  waits: number[];
  retries: number;
}> {
  await using relay = await startStandIn((_request, count) => {
    const step = script[count - 1] ?? "hang up";
    return typeof step === "string" && step !== "hang up" ? { body: { status: step } } : step;
  });
  const pace = instantPace();
  const client = pairedClient(relay.url, { pace });
  const statuses: string[] = [];
  let retries = 0;
  const onRetry = (): void => {
    retries += 1;
  };
  for await (const { status } of client.follow("pkg_1", { onRetry })) statuses.push(status);
  return { statuses, paths: relay.seen.map(({ path }) => path), waits: pace.waits, retries };
}

describe("follow", () => {
  test("[W9][S8] long-polls with the known status and yields each change once, up to the last", async () => {
    const { statuses, paths, waits } = await followScript(["uploading", "waiting", "imported"]);
    expect(statuses).toEqual(["uploading", "waiting", "imported"]);
    expect(paths).toEqual([
      "/packages/pkg_1/status",
      "/packages/pkg_1/status?wait=25&known=uploading",
      "/packages/pkg_1/status?wait=25&known=waiting",
    ]);
    expect(waits).toEqual([]);
  });

  test.each(["imported", "partial", "failed", "expired"] as const)(
    "[W9] ends with %s",
    async (status) => {
      expect((await followScript([status])).statuses).toEqual([status]);
    },
  );

  test("[W9] polls every two seconds when the relay does not hold the call", async () => {
    const { statuses, waits } = await followScript(["waiting", "waiting", "waiting", "partial"]);
    expect(statuses).toEqual(["waiting", "partial"]);
    expect(waits).toEqual([2000, 2000]);
  });

  test("[W9] survives any number of failures", async () => {
    const outage = Array.from({ length: 12 }, () => "hang up" as const);
    const { statuses, waits, retries } = await followScript(["waiting", ...outage, "imported"]);
    expect(statuses).toEqual(["waiting", "imported"]);
    expect(retries).toBe(12);
    expect(waits.at(-1)).toBe(15_000);
  });

  test("ends with the relay's refusal when the package was withdrawn", async () => {
    const gone = {
      status: 404,
      body: { error: "There is no such package.", code: "PACKAGE_UNKNOWN" },
    };
    await expect(followScript(["waiting", gone])).rejects.toMatchObject({
      code: "PACKAGE_UNKNOWN",
    });
  });
});
