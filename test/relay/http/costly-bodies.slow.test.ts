import { describe, expect, test } from "vitest";
import { RunningRelay } from "../running-relay.ts";
import { manifestOf } from "../../manifest-of.ts";

const PROXIED = { SOUNDFERRY_TRUST_PROXY: "127.0.0.1" };

const KIB = 1024;

describe("bodies", () => {
  test("[L9] that nest too deeply or have too many values are refused before they are parsed", async () => {
    await using relay = await RunningRelay.start();
    const { token } = await relay.paired();
    const announce = (body: string) => relay.call("POST", "/packages", { token, body });
    const keys = Object.fromEntries(Array.from({ length: 90_000 }, (_, index) => [`k${index}`, 1]));
    for (const body of ["[".repeat(1000 * KIB), JSON.stringify(keys)]) {
      const { status, json } = await announce(body);
      expect([status, json.code]).toEqual([422, "JSON_TOO_COMPLEX"]);
    }
  });

  test("[L9] of refused calls have a price: then calls are refused before their body is read", async () => {
    await using relay = await RunningRelay.start(PROXIED);
    const importer = await relay.register();
    const token = await relay.pair(importer);
    const other = await relay.pair(importer, { appId: "app-2" });
    const manifest = manifestOf(["a.wav"]);
    const nested = "[".repeat(1000 * KIB);
    const announce = (who: string, body: object | string) =>
      relay.call("POST", "/packages", { token: who, body });
    const statuses: number[] = [];
    for (let call = 0; call < 18; call += 1) statuses.push((await announce(token, nested)).status);
    expect(statuses.filter((status) => status === 422)).toHaveLength(17);
    const refused = await announce(token, manifest);
    expect([refused.status, refused.json.code]).toEqual([429, "REFUSED_TOO_MUCH"]);
    expect(Number(refused.headers.get("retry-after"))).toBeGreaterThan(0);
    // What only reads, and what another app of the computer does, goes on.
    expect((await relay.call("GET", "/app/me", { token })).status).toBe(200);
    expect((await announce(other, manifest)).status).toBe(201);
  });

  test("[L9] a few faulty manifests are no reason to wait", async () => {
    await using relay = await RunningRelay.start();
    const { token } = await relay.paired();
    for (let call = 0; call < 100; call += 1) {
      const body = manifestOf(["a.wav"], { schema: "other" });
      expect((await relay.call("POST", "/packages", { token, body })).status).toBe(422);
    }
    const good = await relay.call("POST", "/packages", { token, body: manifestOf(["a.wav"]) });
    expect(good.status).toBe(201);
  });
});
