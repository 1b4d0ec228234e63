import { describe, expect, test } from "vitest";
import { RunningRelay } from "../running-relay.ts";
import { storedKeys } from "./stored-keys.ts";
import { manifestOf } from "../../manifest-of.ts";

describe("registering and pairing codes", () => {
  test("[P1] registers a device once, with its name cleaned like a title, and a default", async () => {
    await using relay = await RunningRelay.start();
    const answer = await relay.call("POST", "/importer/register", {
      body: { device_name: "  Anna’s\n  MacBook " },
    });
    expect(answer.status).toBe(201);
    expect(answer.json).toEqual({
      device_id: expect.stringMatching(/^dev_[\w-]{22}$/),
      importer_token: expect.stringMatching(/^sfi_[\w-]{43}$/),
    });
    const renamed = await relay.call("PATCH", "/importer/me", {
      token: answer.json.importer_token,
      body: { device_name: "x".repeat(80) },
    });
    expect(renamed.json.device_name).toBe("x".repeat(60));
    expect((await relay.call("POST", "/importer/register")).status).toBe(201);
    const wrong = await relay.call("POST", "/importer/register", { body: { device_name: 7 } });
    expect([wrong.status, wrong.json.code]).toEqual([422, "DEVICE_NAME_WRONG"]);
  });

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

  test("[P4] exactly one of many concurrent claims of one code wins", async () => {
    await using relay = await RunningRelay.start();
    const importer = await relay.register();
    const { json } = await relay.call("POST", "/importer/pairing-code", { token: importer.token });
    const claims = await Promise.all(
      Array.from({ length: 8 }, (_, index) => claim(relay, json.code, `app-${index}`)),
    );
    expect(claims.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([
      200,
      ...Array(7).fill(404),
    ]);
  });

  test("[P6] the eleventh try of a minute is 429 and is not counted", async () => {
    await using relay = await RunningRelay.start({ SOUNDFERRY_PAIRING_TRIES_PER_MINUTE: "10" });
    for (let tries = 0; tries < 9; tries += 1) {
      expect((await claim(relay, "222222")).status).toBe(404);
    }
    expect((await relay.call("POST", "/pair/claim", { body: "{" })).status).toBe(400);
    for (let tries = 0; tries < 3; tries += 1) {
      const refused = await claim(relay, "222222");
      expect(refused.status).toBe(429);
      expect(Number(refused.headers.get("retry-after"))).toBeGreaterThan(0);
    }
    relay.clock.pass(60);
    expect((await claim(relay, "222222")).status).toBe(404);
    // Registering has its own bucket and still works.
    expect((await relay.call("POST", "/importer/register")).status).toBe(201);
  });

  test("[P6] a registration counts before its body is read, and a malformed one, too", async () => {
    await using relay = await RunningRelay.start({ SOUNDFERRY_PAIRING_TRIES_PER_MINUTE: "1" });
    const register = (body: string) => relay.call("POST", "/importer/register", { body });
    expect((await register("{")).status).toBe(400);
    expect((await register("{")).status).toBe(429);
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

describe("pairings", () => {
  test("[P5] the same app adds a token to its pairing, at most ten", async () => {
    await using relay = await RunningRelay.start();
    const importer = await relay.register();
    const tokens: string[] = [];
    for (let round = 0; round < 11; round += 1) {
      tokens.push(await relay.pair(importer, { appId: "same", appName: `Name <${round}>` }));
    }
    const works = await Promise.all(
      tokens.map(async (token) => (await relay.call("GET", "/app/me", { token })).status),
    );
    expect(works).toEqual([401, ...Array(10).fill(200)]);
    const { json } = await relay.call("GET", "/importer/apps", { token: importer.token });
    expect(json.apps).toHaveLength(1);
    expect(json.apps[0]).toMatchObject({ app_name: "Name 10" });
  });

  test("[P5] unpairing revokes the calling token, and the packages belong to the pairing", async () => {
    await using relay = await RunningRelay.start();
    const importer = await relay.register();
    const first = await relay.pair(importer);
    const second = await relay.pair(importer);
    const packageId = await relay.send(first);
    const left = await relay.call("POST", "/app/unpair", { token: first });
    expect([left.status, left.json]).toEqual([200, {}]);
    expect((await relay.call("GET", "/app/me", { token: first })).status).toBe(401);
    expect((await relay.status(second, packageId)).status).toBe("waiting");
    const other = await relay.pair(importer, { appId: "another" });
    expect(
      (await relay.call("GET", `/packages/${packageId}/status`, { token: other })).status,
    ).toBe(404);
  });

  test("[P7][A3] unpairing by the user revokes every token, keeps waiting packages and drops uploads", async () => {
    await using relay = await RunningRelay.start();
    const importer = await relay.register();
    const tokens = [await relay.pair(importer), await relay.pair(importer)];
    const waiting = await relay.send(tokens[0] ?? "");
    const uploading = await relay.announce(tokens[0] ?? "", manifestOf(["a.wav"]));
    const { json } = await relay.call("GET", "/importer/apps", { token: importer.token });
    expect(json.apps).toEqual([
      {
        pairing_id: expect.stringMatching(/^pair_/),
        app_name: "Looper",
        paired_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/),
        last_seen_at: expect.stringMatching(/Z$/),
      },
    ]);
    const path = `/importer/apps/${json.apps[0].pairing_id}`;
    const unpaired = await relay.call("DELETE", path, { token: importer.token });
    expect([unpaired.status, unpaired.json]).toEqual([200, {}]);
    expect((await relay.call("DELETE", path, { token: importer.token })).status).toBe(404);
    for (const token of tokens) {
      expect((await relay.call("GET", "/app/me", { token })).status).toBe(401);
    }
    const listed = await relay.call("GET", "/importer/packages", { token: importer.token });
    expect(listed.json.packages.map((one: { package_id: string }) => one.package_id)).toEqual([
      waiting,
    ]);
    const again = await relay.pair(importer);
    const gone = await relay.call("GET", `/packages/${uploading.package_id}/status`, {
      token: again,
    });
    expect(gone.status).toBe(404);
  });

  test("[P8] a deleted device loses tokens and packages at once, and one unseen for 90 days is deleted", async () => {
    await using relay = await RunningRelay.start();
    const { importer, token } = await relay.paired();
    await relay.send(token);
    expect((await relay.call("DELETE", "/importer/me", { token: importer.token })).status).toBe(
      200,
    );
    expect((await relay.call("GET", "/app/me", { token })).status).toBe(401);
    expect((await relay.call("GET", "/importer/apps", { token: importer.token })).status).toBe(401);
    expect(await storedKeys(relay)).toEqual([]);

    const idle = await relay.register();
    const used = await relay.register();
    relay.clock.pass(89 * 86_400);
    await relay.call("GET", "/importer/apps", { token: used.token });
    await relay.sweep();
    relay.clock.pass(2 * 86_400);
    await relay.sweep();
    expect((await relay.call("GET", "/importer/apps", { token: idle.token })).status).toBe(401);
    expect((await relay.call("GET", "/importer/apps", { token: used.token })).status).toBe(200);
  });
});

function claim(relay: RunningRelay, code: string, appId = "app-1") {
  return relay.call("POST", "/pair/claim", { body: { code, app_name: "Looper", app_id: appId } });
}
