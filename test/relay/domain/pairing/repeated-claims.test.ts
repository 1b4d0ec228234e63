import { describe, expect, test } from "vitest";
import { removeDevice } from "../../../../relay/domain/pairing/devices.ts";
import { claimPairing, issuePairingCode } from "../../../../relay/domain/pairing/pair.ts";
import { unpairApp, unpairToken } from "../../../../relay/domain/pairing/unpair.ts";
import { MINUTE } from "../../../contracts/relay/records/sample-records.ts";
import { anotherProcess, claimCall, openUseCases, register, type UseCases } from "../use-cases.ts";

const KEY = "4f1c0a6be2d94c3f8a7b5e6d1c2f3a4b";
const ADDRESS = "192.0.2.1";

/** A claim with its key and address. */
interface Sent {
  readonly code: string;
  readonly app_name: string;
  readonly app_id: string;
  readonly key: string | undefined;
  readonly address: string;
}

function claim({ context }: Pick<UseCases, "context">, { key, address, ...body }: Sent) {
  return claimPairing(context, { ...claimCall(async () => body, address), key });
}

/** Use cases with a computer, and a claim with a key that has paired. */
async function openPaired(policy: Parameters<typeof openUseCases>[0] = {}) {
  const cases = await openUseCases(policy);
  const { deviceId } = await register(cases);
  const { code } = await issuePairingCode(cases.context, deviceId);
  const sent = { code, app_name: "Looper", app_id: "app-1", key: KEY, address: ADDRESS };
  const { appToken } = await claim(cases, sent);
  return Object.assign(cases, { deviceId, sent, appToken });
}

const WRONG = { code: "CODE_UNKNOWN", status: 404 };

describe("a claim whose answer was lost", () => {
  test("[P13] is repeated with the same key: the first token is revoked and a new one pairs", async () => {
    await using cases = await openPaired({ pairingTriesPerMinute: 1 });
    const { context, deviceId, sent } = cases;
    const before = await context.known.app(cases.appToken);
    cases.notified.length = 0;
    let last = cases.appToken;
    for (const at of [0, 1000, MINUTE - 1 - 1000]) {
      cases.clock.time += at;
      const { appToken, ...repeated } = await claim(cases, sent);
      expect(repeated).toMatchObject({ deviceName: "Studio", pairingId: before.pairingId });
      await expect(context.known.app(last)).rejects.toMatchObject({ code: "TOKEN_UNKNOWN" });
      const { tokenHash: _, ...app } = await context.known.app(appToken);
      expect(before).toMatchObject(app);
      last = appToken;
    }
    expect(await context.pairings.listPairings(deviceId)).toHaveLength(1);
    expect(new Set(cases.notified)).toEqual(new Set([`pairing:${before.pairingId} apps.changed`]));
  });

  test("[P13] can be repeated for a minute from the first answer, not from the last", async () => {
    await using cases = await openPaired();
    cases.clock.time += MINUTE - 1;
    const { appToken } = await claim(cases, cases.sent);
    cases.clock.time += 1;
    await expect(claim(cases, cases.sent)).rejects.toMatchObject(WRONG);
    await cases.context.known.app(appToken);
  });

  test("[P13] is the same in any spelling of its code and name, and from the same IPv6 network", async () => {
    await using cases = await openPaired();
    const { code } = await issuePairingCode(cases.context, cases.deviceId);
    const sent = { ...cases.sent, code, address: "2001:db8::1" };
    const first = await claim(cases, sent);
    const spelled = {
      code: ` ${code.toLowerCase()}.`,
      app_name: " Looper ",
      address: "2001:db8::2",
    };
    const second = await claim(cases, { ...sent, ...spelled });
    expect(second.pairingId).toBe(first.pairingId);
    await expect(cases.context.known.app(first.appToken)).rejects.toThrow();
  });

  test("[P13] is repeated at another process of the relay", async () => {
    await using cases = await openPaired();
    const elsewhere = anotherProcess(cases);
    const { appToken } = await claim({ context: elsewhere }, cases.sent);
    await elsewhere.known.app(appToken);
  });

  test("[P13] takes no token from its repetition where that was faster", async () => {
    await using cases = await openPaired();
    const { pairings, known } = cases.context;
    const { code } = await issuePairingCode(cases.context, cases.deviceId);
    const repeatClaim = pairings.repeatClaim.bind(pairings);
    const gate = Promise.withResolvers<void>();
    const gates = [gate.promise];
    pairings.repeatClaim = async (repeat) => {
      await gates.pop();
      return repeatClaim(repeat);
    };
    const slow = claim(cases, { ...cases.sent, code });
    await new Promise(setImmediate);
    cases.clock.time += 1;
    const { appToken } = await claim(cases, { ...cases.sent, code });
    gate.resolve();
    await expect(slow).rejects.toMatchObject(WRONG);
    await known.app(appToken);
  });

  test("[P13] leaves a fixed code alone, which is valid again after each use", async () => {
    await using cases = await openPaired();
    const { pairings, digest, clock } = cases.context;
    const codeHash = digest.ofText(cases.sent.code);
    const now = clock.now();
    const again = { codeHash, expiresAt: now + 10 * MINUTE, now };
    await pairings.setCode(cases.deviceId, again);
    await claim(cases, cases.sent);
    await expect(cases.context.known.app(cases.appToken)).rejects.toThrow();
    await claim(cases, { ...cases.sent, app_id: "app-2", key: undefined });
  });
});

describe("nobody else repeats a claim", () => {
  test.each<[string, Partial<Sent>]>([
    ["another address", { address: "192.0.2.2" }],
    ["another IPv6 address", { address: "2001:db8::1" }],
    ["another app", { app_id: "app-2" }],
    ["another name", { app_name: "Looper 2" }],
    ["another key", { key: KEY.replace("4", "5") }],
    ["a key in another letter case", { key: KEY.toUpperCase() }],
    ["no key", { key: undefined }],
    ["another code", { code: "222222" }],
    ["no code", { code: "no code" }],
    ["key and name run together", { app_name: `${KEY}Looper`, key: KEY.slice(1) }],
  ])("[P13] %s is a wrong try", async (_, other) => {
    await using cases = await openPaired({ pairingTriesPerMinute: 1 });
    const sent = { ...cases.sent, ...other };
    await expect(claim(cases, sent)).rejects.toMatchObject(WRONG);
    await expect(claim(cases, sent)).rejects.toMatchObject({ code: "TRIES_TOO_MANY" });
    await cases.context.known.app(cases.appToken);
  });

  test("[P13] guessing keys ends with the tries of its address", async () => {
    await using cases = await openPaired({ pairingTriesPerMinute: 10 });
    for (let key = 0; key < 10; key += 1) {
      await expect(claim(cases, { ...cases.sent, key: String(key) })).rejects.toMatchObject(WRONG);
    }
    const late = claim(cases, cases.sent);
    await expect(late).rejects.toMatchObject({ code: "TRIES_TOO_MANY" });
  });

  test.each(["", "x".repeat(201)])("[P13] refuses a key of %j as it is", async (key) => {
    await using cases = await openPaired();
    const wrong = { code: "IDEMPOTENCY_KEY_WRONG", status: 422 };
    await expect(claim(cases, { ...cases.sent, key })).rejects.toMatchObject(wrong);
  });

  test.each<[string, (cases: Awaited<ReturnType<typeof openPaired>>) => Promise<unknown>]>([
    [
      "the app has unpaired",
      async ({ context, appToken }) => unpairToken(context, await context.known.app(appToken)),
    ],
    [
      "its user has unpaired it",
      async ({ context, appToken, deviceId }) =>
        unpairApp(context, deviceId, (await context.known.app(appToken)).pairingId),
    ],
    ["the computer is gone", ({ context, deviceId }) => removeDevice(context, deviceId)],
    ["the clock was set back", async ({ clock }) => void (clock.time -= 1)],
    [
      "it was forgotten",
      async ({ context, clock }) => context.packages.forgetOld(clock.now() + MINUTE),
    ],
  ])("[P13] not once %s", async (_, end) => {
    await using cases = await openPaired();
    await end(cases);
    await expect(claim(cases, cases.sent)).rejects.toMatchObject(WRONG);
  });

  test("[P13] a key that is used again for another code leaves the first token alone", async () => {
    await using cases = await openPaired();
    const { code } = await issuePairingCode(cases.context, cases.deviceId);
    const second = await claim(cases, { ...cases.sent, code });
    await cases.context.known.app(cases.appToken);
    const repeated = await claim(cases, { ...cases.sent, code });
    await cases.context.known.app(cases.appToken);
    await cases.context.known.app(repeated.appToken);
    await expect(cases.context.known.app(second.appToken)).rejects.toThrow();
  });

  test("[P13] stores no key, code or token, only one hash of all", async () => {
    await using cases = await openPaired();
    const kept: object[] = [];
    const { pairings } = cases.context;
    const claimCode = pairings.claimCode.bind(pairings);
    pairings.claimCode = async (given) => claimCode((kept.push(given), given));
    const { code } = await issuePairingCode(cases.context, cases.deviceId);
    const { appToken } = await claim(cases, { ...cases.sent, code });
    expect(kept).toMatchObject([
      { repeatable: { repeatHash: expect.stringMatching(/^[0-9a-f]{64}$/) } },
    ]);
    const text = JSON.stringify(kept);
    for (const secret of [KEY, code, appToken, ADDRESS]) expect(text).not.toContain(secret);
  });
});
