import { describe, expect, test } from "vitest";
import { tiersOf } from "../../../../core/quotas/address-tiers.ts";
import {
  claimPairing,
  endPairingCode,
  issuePairingCode,
} from "../../../../relay/domain/pairing/pair.ts";
import { registerDevice } from "../../../../relay/domain/pairing/devices.ts";
import { listApps } from "../../../../relay/domain/pairing/unpair.ts";
import { MINUTE, T0 } from "../../../contracts/relay/records/sample-records.ts";
import { claimCall, openUseCases, pair, register, type UseCases } from "../use-cases.ts";

const ADDRESS = "192.0.2.1";

function claim({ context }: UseCases, body: unknown, address = ADDRESS) {
  return claimPairing(
    context,
    claimCall(async () => body, address),
  );
}

describe("a pairing code", () => {
  test("[P2] is good for ten minutes, then no more", async () => {
    await using cases = await openUseCases();
    const { deviceId } = await register(cases);
    const body = { app_name: "Looper", app_id: "app-1" };
    for (const [passedMs, good] of [
      [10 * MINUTE - 1, true],
      [10 * MINUTE, false],
    ] as const) {
      cases.clock.time = T0;
      const { code, expiresAt } = await issuePairingCode(cases.context, deviceId);
      expect(expiresAt).toBe(T0 + 10 * MINUTE);
      cases.clock.time += passedMs;
      const claimed = claim(cases, { ...body, code });
      if (good) expect(await claimed).toMatchObject({ deviceName: "Studio" });
      else await expect(claimed).rejects.toMatchObject({ code: "CODE_UNKNOWN", status: 404 });
    }
  });

  test("[P2] ends early where the importer says so, and may have ended before", async () => {
    await using cases = await openUseCases();
    const { deviceId } = await register(cases);
    const { code } = await issuePairingCode(cases.context, deviceId);
    await endPairingCode(cases.context, deviceId);
    await endPairingCode(cases.context, deviceId);
    const body = { code, app_name: "Looper", app_id: "looper" };
    const claim = claimCall(async () => body);
    await expect(claimPairing(cases.context, claim)).rejects.toMatchObject({
      code: "CODE_UNKNOWN",
    });
  });

  test("[P3] is drawn again where another computer has the same one", async () => {
    await using cases = await openUseCases();
    const [first, second] = [await register(cases), await register(cases)];
    let drawn = 0;
    const context = {
      ...cases.context,
      randomBytes: (count: number) => new Uint8Array(count).fill(drawn++ < 2 ? 0 : 1),
    };
    expect((await issuePairingCode(context, first.deviceId)).code).toBe("222222");
    expect((await issuePairingCode(context, second.deviceId)).code).toBe("333333");
    expect(drawn).toBe(3);
  });
});

describe("a claim", () => {
  test("[P4][P5] gives a token that is good at once, and the importer learns of the app", async () => {
    await using cases = await openUseCases();
    const { deviceId } = await register(cases);
    const received: unknown[] = [];
    cases.context.notifier.listen(`device:${deviceId}`, (message) => received.push(message));
    const { code } = await issuePairingCode(cases.context, deviceId);
    const typed = `${code.slice(0, 3).toLowerCase()} ${code.slice(3)}`;
    const body = { code: typed, app_name: " <Looper> 2 ", app_id: "x".repeat(200) };
    const { appToken, deviceName } = await claim(cases, body);
    expect(deviceName).toBe("Studio");
    expect(await cases.context.known.app(appToken)).toMatchObject({
      deviceId,
      pairingId: expect.stringMatching(/^pair_[\w-]{22}$/),
      appId: "x".repeat(200),
      appName: "Looper 2",
      pairedAt: T0,
    });
    expect(received).toEqual([
      { type: "code.used", app_name: "Looper 2" },
      { type: "apps.changed" },
    ]);
    await expect(claim(cases, body)).rejects.toMatchObject({ code: "CODE_UNKNOWN" });
  });

  test("[P5] by a name of nothing visible is listed as App", async () => {
    await using cases = await openUseCases();
    const { deviceId } = await register(cases);
    const { code } = await issuePairingCode(cases.context, deviceId);
    const { appToken } = await claim(cases, { code, app_name: "<>", app_id: "1" });
    expect((await cases.context.known.app(appToken)).appName).toBe("App");
  });

  test("[P5][A3] the eleventh token of an app revokes the first at once", async () => {
    await using cases = await openUseCases();
    const { deviceId } = await register(cases);
    const { known } = cases.context;
    const first = await pair(cases, deviceId);
    const others: string[] = [];
    for (let count = 2; count <= 10; count += 1) others.push(await pair(cases, deviceId));
    for (const token of [first, ...others]) await known.app(token);
    await pair(cases, deviceId);
    await expect(known.app(first)).rejects.toMatchObject({ code: "TOKEN_UNKNOWN" });
    for (const token of others) await known.app(token);
  });

  test("[P5] the 501st app of a computer unpairs the one that called longest ago, and only that", async () => {
    await using cases = await openUseCases();
    const { deviceId } = await register(cases);
    const { known } = cases.context;
    const tokens: string[] = [];
    for (let count = 0; count < 500; count += 1) {
      cases.clock.time += 1;
      tokens.push(await pair(cases, deviceId, `app-${count}`));
    }
    // Pairing a known app again takes no other's place.
    await pair(cases, deviceId, "app-2");
    for (const token of tokens.slice(2)) await known.app(token);
    cases.clock.time += 1;
    await known.app(tokens[0] ?? "");
    await pair(cases, deviceId, "app-500");
    await expect(known.app(tokens[1] ?? "")).rejects.toMatchObject({ code: "TOKEN_UNKNOWN" });
    expect(await listApps(cases.context, deviceId)).toHaveLength(500);
    for (const token of [tokens[0], ...tokens.slice(2)]) await known.app(token ?? "");
  });

  test.each([
    ["that is no object", "code", "CLAIM_INCOMPLETE"],
    ["without a code", { app_name: "A", app_id: "1" }, "CLAIM_INCOMPLETE"],
    ["that is null", null, "CLAIM_INCOMPLETE"],
    ["whose code is a number", { code: 5, app_name: "A", app_id: "1" }, "CLAIM_INCOMPLETE"],
    ["whose app_id is null", { code: "K7MQ2X", app_name: "A", app_id: null }, "CLAIM_INCOMPLETE"],
    ["with an empty name", { code: "K7MQ2X", app_name: "", app_id: "1" }, "CLAIM_INCOMPLETE"],
    [
      "with an app_id of 201 characters",
      { code: "K7MQ2X", app_name: "A", app_id: "x".repeat(201) },
      "APP_ID_TOO_LONG",
    ],
  ])("[P4] %s is 400", async (_, body, code) => {
    await using cases = await openUseCases();
    await expect(claim(cases, body)).rejects.toMatchObject({ code, status: 400 });
  });

  test("[P4] with a code that is wrong or can't be one is 404", async () => {
    await using cases = await openUseCases();
    for (const code of ["K7MQ2X", "no code"]) {
      const body = { code, app_name: "A", app_id: "1" };
      await expect(claim(cases, body)).rejects.toMatchObject({ code: "CODE_UNKNOWN" });
    }
  });

  test("[P6] counts to a sliding minute of its address, malformed ones too; a 429 does not count", async () => {
    await using cases = await openUseCases({ pairingTriesPerMinute: 2 });
    await expect(claim(cases, {})).rejects.toMatchObject({ status: 400 });
    cases.clock.time += 10_000;
    await expect(claim(cases, {})).rejects.toMatchObject({ status: 400 });
    for (const _ of [1, 2]) {
      await expect(claim(cases, {})).rejects.toMatchObject({
        code: "TRIES_TOO_MANY",
        message: "Too many tries. Try again in 50 s.",
        extras: { retryAfterSeconds: 50 },
      });
    }
    await expect(claim(cases, {}, "192.0.2.2")).rejects.toMatchObject({ status: 400 });
    cases.clock.time = T0 + MINUTE;
    await expect(claim(cases, {})).rejects.toMatchObject({ status: 400 });
    // Registering is counted apart.
    await register(cases);
  });
});

describe("registering", () => {
  const request = (body: unknown, key?: string) => ({
    read: async () => body,
    key,
    address: ADDRESS,
  });

  test("[P1] makes a computer with a token that is good at once", async () => {
    await using cases = await openUseCases();
    const body = { device_name: " Anna’s\n Mac " };
    const { deviceId, importerToken } = await registerDevice(cases.context, request(body));
    expect(deviceId).toMatch(/^dev_[\w-]{22}$/);
    expect(await cases.context.known.device(importerToken)).toEqual({
      deviceId,
      deviceName: "Anna’s Mac",
      registeredAt: T0,
      lastSeenAt: T0,
    });
  });

  test.each([undefined, null, [], {}, { device_name: "" }, { device_name: "\u200b" }])(
    "[P1] names the computer Computer where %j says nothing",
    async (body) => {
      await using cases = await openUseCases();
      const { importerToken } = await registerDevice(cases.context, request(body));
      expect((await cases.context.known.device(importerToken)).deviceName).toBe("Computer");
    },
  );

  test("[P1] refuses a name that is no text", async () => {
    await using cases = await openUseCases();
    await expect(registerDevice(cases.context, request({ device_name: 7 }))).rejects.toMatchObject({
      code: "DEVICE_NAME_WRONG",
    });
  });

  test("[L4] by key refuses a wrong one and none, without reading the body", async () => {
    await using cases = await openUseCases({ registersByKey: true, registrationKey: "sesame" });
    for (const key of ["Sesame", "", undefined]) {
      await expect(
        registerDevice(cases.context, {
          key,
          address: ADDRESS,
          read: () => Promise.reject(new Error("The body was read.")),
        }),
      ).rejects.toMatchObject({ code: "REGISTRATION_KEY_WRONG", status: 403 });
    }
    await registerDevice(cases.context, request({}, "sesame"));
  });

  test("[P6] counts before key and body are looked at, and apart from claims", async () => {
    await using cases = await openUseCases({
      pairingTriesPerMinute: 1,
      registersByKey: true,
      registrationKey: "sesame",
    });
    await expect(claim(cases, {})).rejects.toMatchObject({ status: 400 });
    await expect(registerDevice(cases.context, request({}))).rejects.toMatchObject({ status: 403 });
    await expect(registerDevice(cases.context, request({}, "sesame"))).rejects.toMatchObject({
      code: "TRIES_TOO_MANY",
      status: 429,
    });
  });
});

describe("the address that tries are counted by", () => {
  test.each([
    ["192.0.2.1", "192.0.2.1"],
    ["192.0.2.1", "::ffff:192.0.2.1"],
    ["192.0.2.1", "::FFFF:192.0.2.1"],
    ["2001:db8:0:1::1", "2001:db8:0:1:ffff:ffff:ffff:ffff"],
    ["2001:db8:0:1::1", "2001:0DB8:0000:0001::2"],
    ["2001:db8::1", "2001:db8:0:0:0:0:0:2"],
    ["2001:db8::", "2001:db8::1:2:3:4"],
    ["2001:db8:1::2:3:4:5", "2001:db8:1:0::"],
    ["::1", "0:0:0:0:0:0:0:2"],
    ["::", "::1"],
    ["::2:3:4:5:6:7", "0:0:2:3::1"],
    ["2001:db8:a0:10::1", "2001:db8:00a0:0010::1"],
    ["fe80::1%eth0", "fe80::2%wlan0"],
    ["fe80::1%eth0", "fe80::1"],
    ["fe80::1%a:b:c:d:e:f", "fe80::1"],
    ["192.0.2.1", "::ffff:192.0.2.1%eth0"],
    ["198.151.100.254", "::ffff:198.151.100.254"],
  ])("[P6] %s and %s are one client", (one, other) => {
    expect(tiersOf(one).address).toBe(tiersOf(other).address);
  });

  test.each([
    ["192.0.2.1", "192.0.2.2"],
    ["192.0.2.1", "::ffff:192.0.2.2"],
    ["2001:db8:0:1::1", "2001:db8:0:2::1"],
    ["2001:db8:0:1::1", "2001:db8:1::1"],
    ["2001:db8::1", "2001:db8:0:1::1"],
    ["2001:db8:10::1", "2001:db8:1::1"],
    ["::1", "0:0:0:1::1"],
    ["64:ff9b::192.0.2.1", "::ffff:192.0.2.1"],
    ["64:ff9b::ffff:192.0.2.1", "192.0.2.1"],
    ["fe80::1", "fe81::1"],
  ])("[P6] %s and %s are two clients", (one, other) => {
    expect(tiersOf(one).address).not.toBe(tiersOf(other).address);
  });

  test("[P6] an IPv6 network is named by its first 64 bits", () => {
    expect(tiersOf("2001:0db8::00a0:1:2:3:4").address).toBe("2001:db8:0:a0::/64");
    expect(tiersOf("::1").address).toBe("0:0:0:0::/64");
  });
});
