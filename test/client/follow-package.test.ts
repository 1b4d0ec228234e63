import { describe, expect, test } from "vitest";
import type { PackageStatus } from "../../core/protocol/package-status.ts";
import { instantPace, pairedClient, type StandInAnswer, startStandIn } from "./stand-in-relay.ts";
import { IN_NODE } from "../../client/node/in-node.ts";
import type { SoundferryClient } from "../../client/soundferry-client.ts";
import { MemoryTokenStore } from "../../client/pairing/token-store.ts";
import { RunningRelay } from "../relay/running-relay.ts";
import { HOUR } from "../contracts/relay/records/sample-records.ts";
import { Cutter } from "../sim/cutter.ts";
import { smallWav } from "../wav-bytes.ts";

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

/** A sound of 3 MB, because uploads below 1 MiB are not resumed. */
const LONG = smallWav({ frames: 1_500_000 });

function clientOf(port: number, token: string): SoundferryClient {
  const tokenStore = new MemoryTokenStore(token);
  return pairedClient(`http://127.0.0.1:${port}`, { tokenStore, ...IN_NODE });
}

test("[W14][U10] an upload that is cut again and again sends hardly more than its bytes", async () => {
  await using relay = await RunningRelay.start();
  const { token } = await relay.paired();
  await using line = await Cutter.to(relay.url);
  line.play({ at: { bytes: 600_000 }, does: "reset", times: 4 });
  const client = clientOf(line.port, token);
  const arrived: number[] = [];
  const { packageId } = await client.send(
    { sounds: [{ source: LONG, name: "Long" }] },
    { onProgress: ({ phase, doneBytes }) => phase === "uploading" && arrived.push(doneBytes) },
  );
  expect(line.cuts).toBe(4);
  expect(arrived.at(-1)).toBe(LONG.length);
  expect(line.upBytes / LONG.length).toBeLessThan(1.1);
  expect((await client.status(packageId)).status).toBe("waiting");
});

test.each([400, 404, 405])(
  "[W14] a relay that answers HEAD with %s gets the whole file",
  async (status) => {
    await using relay = await startStandIn(({ method, path }) => {
      if (method === "HEAD") return { status, body: "" };
      if (path === "/packages") {
        const body = { package_id: "pkg_1", upload: { "long.wav": "/long.wav" }, warnings: [] };
        return { status: 201, body };
      }
      return { body: method === "PUT" ? { file: "long.wav" } : {} };
    });
    const client = clientOf(Number(new URL(relay.url).port), "sfa_x");
    const manifest = { items: [{ file: "long.wav" }] };
    const sounds = new Map([["long.wav", new Blob([new Uint8Array(LONG)])]]);
    await client.sendManifest({ manifest, sounds });
    expect(relay.seen.map(({ method }) => method)).toEqual(["POST", "HEAD", "PUT", "POST"]);
    expect(relay.seen[2]?.body.length).toBe(LONG.length);
  },
);

test("[W13][W14] a package whose upload window ended before a file was resumed is announced again", async () => {
  await using relay = await RunningRelay.start();
  const { token } = await relay.paired();
  await using line = await Cutter.to(relay.url);
  line.play({ at: { bytes: 600_000 }, does: "reset", times: 1 });
  const announced: string[] = [];
  await clientOf(line.port, token).send(
    { sounds: [{ source: LONG, name: "Long" }] },
    {
      onAnnounced: ({ package_id: packageId }) => announced.push(packageId),
      onRetry: () => {
        relay.clock.shiftMs = 2 * HOUR;
      },
    },
  );
  expect(new Set(announced).size).toBe(2);
});
