import assert from "node:assert/strict";
import type { CodeClaim, PairingRecords } from "../../../../relay/domain/ports.ts";
import { one } from "./records-case.ts";
import { MINUTE, register, T0 } from "./sample-records.ts";

/** The promises of `PairingRecords` about pairing codes (rules P2 to P4). */
export const CODE_CASES = [
  one("[P4] a code pairs once, and returns the computer's name to the app", async (records) => {
    const { pairings } = records;
    await register(records, "device-1");
    await putCode(pairings, "device-1", "code");
    assert.deepEqual(await claim(pairings, "code", "token"), {
      pairingId: "pairing of token",
      deviceId: "device-1",
      deviceName: "Name of device-1",
      appId: "app-1",
      appName: "Looper",
      pairedAt: T0,
      lastSeenAt: T0,
    });
    assert.equal(await claim(pairings, "code", "another"), undefined, "A used code paired again.");
    assert.equal(await claim(pairings, "wrong", "another"), undefined, "An unknown code paired.");
    assert.equal(await pairings.findApp("another"), undefined);
  }),

  one("[P4] exactly one of many concurrent claims of one code pairs", async (records) => {
    const { pairings } = records;
    await register(records, "device-1");
    await putCode(pairings, "device-1", "code");
    const tokens = Array.from({ length: 20 }, (_, index) => `token ${index}`);
    const claims = await Promise.all(tokens.map((token) => claim(pairings, "code", token)));
    assert.equal(claims.filter(Boolean).length, 1, "Not exactly one of 20 claims paired.");
    const found = await Promise.all(tokens.map((token) => pairings.findApp(token)));
    assert.deepEqual(found.map(Boolean), claims.map(Boolean), "Another token works than promised.");
  }),

  one("[P2] a code expires at its exact millisecond, not before", async (records) => {
    const { pairings } = records;
    await register(records, "device-1");
    await putCode(pairings, "device-1", "code");
    assert.equal(await claim(pairings, "code", "late", T0 + MINUTE), undefined);
    assert.ok(await claim(pairings, "code", "in time", T0 + MINUTE - 1));
  }),

  one("[P2] a code that ends later than a claim allows is not valid", async (records) => {
    const { pairings } = records;
    await register(records, "device-1");
    await putCode(pairings, "device-1", "code", T0 + MINUTE + 1);
    assert.equal(await claim(pairings, "code", "early"), undefined);
    assert.ok(await claim(pairings, "code", "in time", T0 + 1));
  }),

  one("[P2][P4] forgetOld forgets no valid code", async (records) => {
    await register(records, "device-1");
    await putCode(records.pairings, "device-1", "code");
    await records.packages.forgetOld(T0 + MINUTE - 1);
    assert.ok(await claim(records.pairings, "code", "in time", T0 + MINUTE - 1));
  }),

  one("[P2] a new code replaces the device's old one", async (records) => {
    const { pairings } = records;
    await register(records, "device-1");
    for (const code of ["old", "new", "new"]) {
      assert.equal(await putCode(pairings, "device-1", code), true);
    }
    assert.equal(await claim(pairings, "old", "a"), undefined, "A replaced code paired.");
    assert.ok(await claim(pairings, "new", "b"));
  }),

  one("[P2] a device's code is removed, if it has one, and no other's", async (records) => {
    const { pairings } = records;
    for (const device of ["device-1", "device-2"]) await register(records, device);
    await putCode(pairings, "device-1", "code");
    await putCode(pairings, "device-2", "another");
    for (const device of ["device-1", "device-1", "device-none"])
      await pairings.setCode(device, null);
    assert.equal(await claim(pairings, "code", "a"), undefined, "A removed code paired.");
    assert.equal((await claim(pairings, "another", "b"))?.deviceId, "device-2");
    assert.equal(await putCode(pairings, "device-1", "code"), true);
    assert.equal((await claim(pairings, "code", "c"))?.deviceId, "device-1");
  }),

  one(
    "[P3] no two devices have the same valid code, and the second keeps its previous code",
    async (records) => {
      const { pairings } = records;
      for (const device of ["device-1", "device-2", "device-3"]) await register(records, device);
      await putCode(pairings, "device-1", "same");
      await putCode(pairings, "device-2", "its own");
      assert.equal(await putCode(pairings, "device-2", "same"), false);
      assert.equal(await putCode(pairings, "device-3", "same"), false);
      assert.equal((await claim(pairings, "its own", "a"))?.deviceId, "device-2");
      assert.equal((await claim(pairings, "same", "b"))?.deviceId, "device-1");
    },
  ),

  one("[P3] an expired or used code is free for another device", async (records) => {
    const { pairings } = records;
    for (const device of ["device-1", "device-2"]) await register(records, device);
    await putCode(pairings, "device-1", "same");
    assert.equal(await putCode(pairings, "device-2", "same", T0 + MINUTE), true);
    const claimed = await claim(pairings, "same", "a", T0 + MINUTE);
    assert.equal(claimed?.deviceId, "device-2");
    assert.equal(await putCode(pairings, "device-1", "same", T0 + MINUTE), true);
  }),
];

/** Gives a device a code that is valid for a minute. */
export function putCode(pairings: PairingRecords, deviceId: string, codeHash: string, now = T0) {
  return pairings.setCode(deviceId, { codeHash, expiresAt: now + MINUTE, now });
}

/** Claims a code for one app, with a separate token. */
export function claim(
  pairings: PairingRecords,
  codeHash: string,
  tokenHash: string,
  now = T0,
  repeatable?: CodeClaim["repeatable"],
) {
  return pairings.claimCode({
    codeHash,
    now,
    latestEnd: now + 2 * MINUTE,
    pairingId: `pairing of ${tokenHash}`,
    appId: "app-1",
    appName: "Looper",
    tokenHash,
    maxTokens: 10,
    repeatable,
  });
}
