import { describe, expect, test } from "vitest";
import { smallWav } from "../../wav-bytes.ts";
import { RunningRelay } from "../running-relay.ts";
import { manifestOf } from "../../manifest-of.ts";

describe("announcing", () => {
  test("[M10] unpairing ignores its body, and what X-Service-Client says", async () => {
    await using relay = await RunningRelay.start();
    const { token } = await relay.paired();
    const headers = { "content-type": "a/b/c", "x-service-client": "((( ;; \u00e9" };
    const unpair = await relay.call("POST", "/app/unpair", { token, headers, body: "[1,2" });
    expect(unpair.status).toBe(200);
  });
});

describe("limits and room", () => {
  test("[L2] refuse too many waiting packages, a full device and a full disk", async () => {
    await using relay = await RunningRelay.start({
      SOUNDFERRY_WAITING_PACKAGES_PER_DEVICE: "1",
      SOUNDFERRY_BYTES_PER_DEVICE: "1000",
    });
    const { importer, token } = await relay.paired();
    const big = (bytes: number) => ({
      schema: "app2host/1",
      items: [{ file: "x.wav", bytes, sha256: "0".repeat(64) }],
    });
    const full = await relay.call("POST", "/packages", { token, body: big(1001) });
    expect([full.status, full.json.code]).toEqual([507, "DEVICE_FULL"]);
    expect(full.headers.get("retry-after")).toBe("60");
    // Two uploading packages do not count as waiting; a commit never gets 507.
    const first = await relay.announce(token, manifestOf(["a.wav"]));
    const second = await relay.announce(token, manifestOf(["b.wav"]));
    await relay.call("PUT", first.upload["a.wav"] ?? "", { token, body: smallWav() });
    await relay.call("PUT", second.upload["b.wav"] ?? "", { token, body: smallWav() });
    for (const { package_id: id } of [first, second]) {
      expect((await relay.call("POST", `/packages/${id}/commit`, { token })).status).toBe(200);
    }
    const many = await relay.call("POST", "/packages", { token, body: manifestOf(["c.wav"]) });
    expect([many.status, many.json]).toEqual([
      507,
      { error: "Many of your packages wait. Import or dismiss them first.", code: "MANY_WAIT" },
    ]);
    expect(Number(many.headers.get("retry-after"))).toBeGreaterThan(86_000);
    for (const { package_id: id } of [first, second]) {
      await relay.call("POST", `/importer/packages/${id}/results`, {
        token: importer.token,
        body: { results: {} },
      });
    }
    expect(
      (await relay.call("POST", "/packages", { token, body: manifestOf(["c.wav"]) })).status,
    ).toBe(201);
  });

  test("[L1] count every call with a token in a sliding minute, but not a 429", async () => {
    await using relay = await RunningRelay.start({ SOUNDFERRY_CALLS_PER_MINUTE: "3" });
    const { token } = await relay.paired();
    const ask = () => relay.call("GET", "/app/me", { token });
    relay.clock.hold();
    relay.clock.pass(1);
    const first = await ask();
    expect(first.headers.get("ratelimit-policy")).toBe('"calls";q=3;w=60');
    expect(first.headers.get("ratelimit")).toMatch(/^"calls";r=2;/);
    relay.clock.pass(30);
    await ask();
    await relay.call("POST", "/packages", { token, body: "{" });
    for (let round = 0; round < 3; round += 1) {
      const refused = await ask();
      expect([refused.status, refused.json.code]).toEqual([429, "CALLS_TOO_MANY"]);
      expect(refused.headers.get("retry-after")).toBe("30");
    }
    relay.clock.pass(30);
    expect((await ask()).status).toBe(200);
    expect((await ask()).status).toBe(429);
  });
});
