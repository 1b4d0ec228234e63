import { describe, expect, test } from "vitest";
import { MemoryTokenStore } from "../../client/pairing/token-store.ts";
import { pairedClient, startStandIn, instantPace, type StandInAnswer } from "./stand-in-relay.ts";
import type { PackageStatus } from "../../core/protocol/package-status.ts";
import { IN_NODE } from "../../client/node/in-node.ts";
import type { SoundferryClient } from "../../client/soundferry-client.ts";
import { RunningRelay } from "../relay/running-relay.ts";
import { HOUR } from "../contracts/relay/records/sample-records.ts";
import { Cutter } from "../sim/cutter.ts";
import { smallWav } from "../wav-bytes.ts";

describe("pairing", () => {
  test("exchanges a code for a token, stores it, and sends it with later calls", async () => {
    await using relay = await startStandIn(({ path }) => ({
      body:
        path === "/pair/claim"
          ? { app_token: "sfa_secret", device_name: "Studio" }
          : { device_name: "Studio", app_name: "Looper", paired_at: "2026-11-21T00:00:00.000Z" },
    }));
    const tokenStore = new MemoryTokenStore();
    const client = pairedClient(`${relay.url}/`, { tokenStore, clientName: "löop/1 (🔁)" });

    const answer = await client.pair("K7M Q2X", { name: "Looper", id: "a-1" });
    const me = await client.me();

    expect(answer).toEqual({ device_name: "Studio" });
    expect(me.app_name).toBe("Looper");
    expect(await tokenStore.load()).toBe("sfa_secret");
    expect(JSON.parse(String(relay.seen[0]?.body))).toEqual({
      code: "K7MQ2X",
      app_name: "Looper",
      app_id: "a-1",
    });
    expect(relay.seen[0]?.headers.authorization).toBeUndefined();
    expect(relay.seen[1]?.headers.authorization).toBe("Bearer sfa_secret");
    expect(relay.seen[1]?.headers["x-service-client"]).toBe("l?op/1 (??)");
  });

  test("[W7] forgets the token on a 401, and on no other refusal", async () => {
    await using relay = await startStandIn((_request, count) => ({
      status: count === 1 ? 403 : 401,
      body: { error: "No.", code: "NO" },
    }));
    const tokenStore = new MemoryTokenStore("sfa_old");
    const client = pairedClient(relay.url, { tokenStore });

    await expect(client.me()).rejects.toMatchObject({ status: 403 });
    expect(await tokenStore.load()).toBe("sfa_old");
    await expect(client.me()).rejects.toMatchObject({ status: 401, code: "NO", message: "No." });
    expect(await tokenStore.load()).toBeUndefined();
    await expect(client.me()).rejects.toMatchObject({ status: 401, code: "NOT_PAIRED" });
    expect(relay.seen).toHaveLength(2);
  });

  test("[W7] keeps the token when a call arrived without it", async () => {
    await using relay = await startStandIn(() => ({
      status: 401,
      body: { error: "The header Authorization is missing.", code: "TOKEN_MISSING" },
    }));
    const tokenStore = new MemoryTokenStore("sfa_old");
    const client = pairedClient(relay.url, { tokenStore });
    await expect(client.me()).rejects.toMatchObject({ status: 401, code: "TOKEN_MISSING" });
    expect(await tokenStore.load()).toBe("sfa_old");
  });

  test("[W7] keeps a token that was saved while a 401 was on its way", async () => {
    const tokenStore = new MemoryTokenStore("sfa_old");
    await using relay = await startStandIn(async () => {
      await tokenStore.save("sfa_new");
      return { status: 401 };
    });
    await expect(pairedClient(relay.url, { tokenStore }).me()).rejects.toMatchObject({
      status: 401,
    });
    expect(await tokenStore.load()).toBe("sfa_new");
  });

  test("[W9] unpair revokes the token and forgets it", async () => {
    await using relay = await startStandIn(() => ({}));
    const tokenStore = new MemoryTokenStore("sfa_old");
    await pairedClient(relay.url, { tokenStore }).unpair();
    expect(relay.seen[0]).toMatchObject({ method: "POST", path: "/app/unpair" });
    expect(await tokenStore.load()).toBeUndefined();
  });
});

describe("errors", () => {
  test("[W6] carry the relay's sentence, code, missing files and Retry-After", async () => {
    await using relay = await startStandIn(() => ({
      status: 429,
      headers: { "retry-after": "7" },
      body: { error: "Too many calls.", code: "CALLS_TOO_MANY", missing: ["a.wav"] },
    }));
    await expect(pairedClient(relay.url).commit("pkg_1")).rejects.toMatchObject({
      name: "ClientError",
      status: 429,
      code: "CALLS_TOO_MANY",
      message: "Too many calls.",
      retryAfterSeconds: 7,
      missing: ["a.wav"],
    });
  });

  test.each(["<html>Bad gateway</html>", "", "null", '"text"', "[1]"])(
    "[W6] count a body that is not a JSON object as empty: %j",
    async (body) => {
      await using relay = await startStandIn(() => ({ status: 502, body }));
      await expect(pairedClient(relay.url).me()).rejects.toMatchObject({
        status: 502,
        code: "RELAY_TROUBLE",
        message: "The relay has a problem (502). Try again later.",
      });
    },
  );

  test("identify an address that is not a relay", async () => {
    await using relay = await startStandIn(() => ({ status: 200, body: "<html>Welcome</html>" }));
    await expect(pairedClient(relay.url).me()).rejects.toThrow(
      "is not a relay. Check the address.",
    );
  });

  test("[W7] report a redirect instead of following it, so that the token stays with the relay", async () => {
    await using elsewhere = await startStandIn(() => ({}));
    await using relay = await startStandIn(() => ({
      status: 307,
      headers: { location: elsewhere.url },
    }));
    await expect(pairedClient(relay.url).me()).rejects.toThrow("redirects to another address");
    expect(elsewhere.seen).toHaveLength(0);
  });

  test("[W6] describe network trouble in a sentence", async () => {
    let url: string;
    {
      await using relay = await startStandIn(() => "hang up");
      url = relay.url;
      await expect(pairedClient(url).me()).rejects.toMatchObject({
        status: undefined,
        message: `The connection to ${url} was lost. Check the network.`,
      });
    }
    await expect(pairedClient(url).me()).rejects.toThrow(
      `Nothing answers at ${url}. Is the relay running?`,
    );
  });

  test.each(["relay.example", "ftp://relay.example", ""])("refuse the address %j", (relayUrl) => {
    expect(() => pairedClient(relayUrl)).toThrow("begins with http:// or https://");
  });
});

test("[W7] refuse an upload path that would send the token elsewhere", async () => {
  await using relay = await startStandIn(() => ({ body: { file: "a.wav" } }));
  const client = pairedClient(`${relay.url}/base`);
  await client.upload("@evil.example/steal", new Blob(["x"]));
  await client.upload("https://evil.example/steal", new Blob(["x"]));
  await client.upload("//evil.example/steal", new Blob(["x"]));
  expect(relay.seen.map(({ path }) => path)).toEqual([
    "/base/@evil.example/steal",
    "/base/https://evil.example/steal",
    "/base/evil.example/steal",
  ]);
});

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
