import { describe, expect, test } from "vitest";
import { RunningRelay } from "../running-relay.ts";

describe("registering and pairing codes", () => {
  test("[P2] a code can be ended early, by its own importer only", async () => {
    await using relay = await RunningRelay.start();
    const [own, other] = [await relay.register(), await relay.register()];
    const end = (token: string | undefined) =>
      relay.call("DELETE", "/importer/pairing-code", token === undefined ? {} : { token });
    expect((await end(own.token)).json).toEqual({});
    const { json } = await relay.call("POST", "/importer/pairing-code", { token: own.token });
    expect([(await end(undefined)).status, (await end(other.token)).status]).toEqual([401, 200]);
    const kept = await claim(relay, json.code);
    expect(kept.status).toBe(200);
    const next = await relay.call("POST", "/importer/pairing-code", { token: own.token });
    expect((await end(kept.json.app_token)).status).toBe(401);
    expect([(await end(own.token)).status, (await end(own.token)).status]).toEqual([200, 200]);
    expect((await claim(relay, next.json.code)).json).toMatchObject({ code: "CODE_UNKNOWN" });
  });

  test("[P6] the client's address comes from trusted proxies only, IPv6 per /64", async () => {
    const limit = { SOUNDFERRY_PAIRING_TRIES_PER_MINUTE: "1" };
    await using trusting = await RunningRelay.start({
      ...limit,
      SOUNDFERRY_TRUST_PROXY: "127.0.0.0/8",
    });
    const tryFrom = (relay: RunningRelay, address: string) =>
      relay.call("POST", "/pair/claim", {
        body: { code: "222222", app_name: "A", app_id: "1" },
        headers: { "x-forwarded-for": address },
      });
    expect((await tryFrom(trusting, "203.0.113.1")).status).toBe(404);
    expect((await tryFrom(trusting, "203.0.113.1")).status).toBe(429);
    expect((await tryFrom(trusting, "203.0.113.2")).status).toBe(404);
    expect((await tryFrom(trusting, "2001:db8:0:1::1")).status).toBe(404);
    expect((await tryFrom(trusting, "2001:db8:0:1:ffff::2")).status).toBe(429);
    expect((await tryFrom(trusting, "2001:db8:0:2::1")).status).toBe(404);
    await using plain = await RunningRelay.start(limit);
    expect((await tryFrom(plain, "203.0.113.1")).status).toBe(404);
    expect((await tryFrom(plain, "203.0.113.2")).status).toBe(429);
  });
});

test("[L4] registering can require a key, which a header has", async () => {
  await using relay = await RunningRelay.start({
    SOUNDFERRY_REGISTRATION: "key",
    SOUNDFERRY_REGISTRATION_KEY: "sesame",
  });
  const refused = await relay.call("POST", "/importer/register");
  expect([refused.status, refused.json.code]).toEqual([403, "REGISTRATION_KEY_WRONG"]);
  const headers = { "x-soundferry-registration-key": "sesame" };
  expect((await relay.call("POST", "/importer/register", { headers })).status).toBe(201);
});

test("[P8] an importer can ask from which network it is seen to call", async () => {
  await using trusting = await RunningRelay.start({ SOUNDFERRY_TRUST_PROXY: "127.0.0.1" });
  await using plain = await RunningRelay.start();
  const seen = async (relay: RunningRelay, forwardedFor?: string) => {
    const { token } = await relay.register();
    const headers = forwardedFor === undefined ? {} : { "x-forwarded-for": forwardedFor };
    return (await relay.call("GET", "/importer/me", { token, headers })).json;
  };
  expect(await seen(plain)).toEqual({ device_name: "Studio", network: "this-computer" });
  expect((await seen(plain, "203.0.113.77")).network).toBe("127.0.0.0/24");
  expect((await seen(trusting, "203.0.113.77")).network).toBe("203.0.113.0/24");
  expect((await seen(trusting, "2001:db8:1:2::3")).network).toBe("2001:db8:1::/48");
  expect((await plain.call("GET", "/importer/me")).status).toBe(401);
});

function claim(relay: RunningRelay, code: string, appId = "app-1") {
  return relay.call("POST", "/pair/claim", { body: { code, app_name: "Looper", app_id: appId } });
}
