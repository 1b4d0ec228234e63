import { describe, expect, test } from "vitest";
import { smallWav } from "../../wav-bytes.ts";
import { RunningRelay } from "../running-relay.ts";
import { manifestOf } from "../../manifest-of.ts";

const KIB = 1024;

describe("announcing", () => {
  test("[M1][E3] refuses a body that is not JSON, is too large, or is no manifest", async () => {
    await using relay = await RunningRelay.start();
    const { token } = await relay.paired();
    const announce = (body: string) => relay.call("POST", "/packages", { token, body });
    expect((await announce("{")).status).toBe(400);
    expect((await announce("")).status).toBe(400);
    expect((await announce("[]")).status).toBe(422);
    expect((await announce(`{"schema":"app2host/1","items":[${"[".repeat(10)}`)).status).toBe(400);
    const deep = `{"schema":"app2host/1","items":${"[".repeat(200_000)}${"]".repeat(200_000)}}`;
    expect((await announce(deep)).status).toBe(422);
    const huge = JSON.stringify({ ...manifestOf(["a.wav"]), pad: "x".repeat(KIB * KIB) });
    const refused = await announce(huge);
    expect(refused.status).toBe(413);
    // What is too large to be judged lists no problems.
    expect(refused.json).toEqual({ code: "BODY_TOO_LARGE", error: expect.any(String) });
    const fits = JSON.stringify({ ...manifestOf(["a.wav"]), pad: "x".repeat(KIB * KIB - 2000) });
    expect((await announce(fits)).status).toBe(201);
  });

  test("[M10] ignores the content type, and bodies where none is needed", async () => {
    await using relay = await RunningRelay.start();
    const { token } = await relay.paired();
    for (const type of [
      "text/plain",
      "application/x-www-form-urlencoded",
      "nonsense;;=",
      "a/b/c",
    ]) {
      const headers = { "content-type": type };
      const body = JSON.stringify(manifestOf(["a.wav"]));
      const announced = await relay.call("POST", "/packages", { token, body, headers });
      expect(announced.status, type).toBe(201);
      const path = announced.json.upload["a.wav"];
      const put = await relay.call("PUT", path, { token, headers, body: smallWav() });
      expect(put.status).toBe(200);
      const commit = `/packages/${announced.json.package_id}/commit`;
      expect((await relay.call("POST", commit, { token, headers, body: "{broken" })).status).toBe(
        200,
      );
      const remove = `/packages/${announced.json.package_id}`;
      expect((await relay.call("DELETE", remove, { token, headers, body: "x" })).status).toBe(200);
    }
    const odd = { "x-service-client": "((( ;; \u00e9" };
    const unpair = await relay.call("POST", "/app/unpair", { token, headers: odd, body: "[1,2" });
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
