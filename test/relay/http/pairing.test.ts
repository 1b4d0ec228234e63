import { describe, expect, test } from "vitest";
import { RunningRelay } from "../running-relay.ts";

describe("registering and pairing codes", () => {
  test("[P2] a code lasts ten minutes, and a new one replaces it", async () => {
    await using relay = await RunningRelay.start();
    const importer = await relay.register();
    const first = await relay.call("POST", "/importer/pairing-code", { token: importer.token });
    expect(first.status).toBe(201);
    expect(first.json.code).toMatch(/^[2-9A-HJKMNP-Z]{6}$/);
    expect(first.json.expires_in).toBe(600);
    const second = await relay.call("POST", "/importer/pairing-code", { token: importer.token });
    expect((await claim(relay, first.json.code)).status).toBe(404);
    relay.clock.pass(600);
    expect((await claim(relay, second.json.code)).status).toBe(404);
  });

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

  test("[P4] wrong, used and expired codes get the same text", async () => {
    await using relay = await RunningRelay.start();
    const importer = await relay.register();
    const { json } = await relay.call("POST", "/importer/pairing-code", { token: importer.token });
    const spaced = `${json.code.slice(0, 3).toLowerCase()} - ${json.code.slice(3)}`;
    const good = await claim(relay, spaced);
    expect(good.status).toBe(200);
    expect(good.json).toEqual({
      app_token: expect.stringMatching(/^sfa_[\w-]{43}$/),
      device_name: "Studio",
    });
    const used = await claim(relay, json.code);
    const wrong = await claim(relay, "222222");
    const nonsense = await claim(relay, "no code at all");
    expect([used.status, wrong.status, nonsense.status]).toEqual([404, 404, 404]);
    expect(new Set([used.text, wrong.text, nonsense.text]).size).toBe(1);
  });

  test("[P4] a malformed claim is 400", async () => {
    await using relay = await RunningRelay.start();
    const good = { code: "K7MQ2X", app_name: "A", app_id: "1" };
    for (const body of ["{", "", "[]", "null", '"text"']) {
      expect((await relay.call("POST", "/pair/claim", { body })).status, body).toBe(400);
    }
    for (const key of ["code", "app_name", "app_id"]) {
      for (const bad of ["", 5, null, undefined]) {
        const { status, json } = await relay.call("POST", "/pair/claim", {
          body: { ...good, [key]: bad },
        });
        expect([status, json.code]).toEqual([400, "CLAIM_INCOMPLETE"]);
      }
    }
    const long = await relay.call("POST", "/pair/claim", {
      body: { ...good, app_id: "x".repeat(201) },
    });
    expect(long.status).toBe(400);
  });

  test("[P13] a claim whose answer was lost is repeated with its key, and nobody learns anything new", async () => {
    await using relay = await RunningRelay.start();
    const importer = await relay.register();
    const { json } = await relay.call("POST", "/importer/pairing-code", { token: importer.token });
    const body = { code: json.code, app_name: "Looper", app_id: "app-1" };
    const headers = { "idempotency-key": "4f1c0a6be2d94c3f" };
    const lost = await relay.call("POST", "/pair/claim", { body, headers });
    const again = await relay.call("POST", "/pair/claim", { body, headers });
    expect(again.status).toBe(200);
    const tokens = [lost, again].map((answer) => answer.json.app_token);
    const me = tokens.map((token) => relay.call("GET", "/app/me", { token }));
    expect((await Promise.all(me)).map(({ status }) => status)).toEqual([401, 200]);
    const { apps } = (await relay.call("GET", "/importer/apps", { token: importer.token })).json;
    expect(apps).toHaveLength(1);
    expect(relay.logLines.join("\n")).not.toContain(headers["idempotency-key"]);
    relay.clock.pass(60);
    expect((await relay.call("POST", "/pair/claim", { body, headers })).status).toBe(404);
    expect((await claim(relay, json.code)).status).toBe(404);
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
