import { describe, expect, test } from "vitest";
import {
  MINUTE,
  type OpenRecords,
  type RecordsUnderTest,
  T0,
  register,
} from "./records-under-test.ts";

/** The contract suite of `PairingRecords` for pairing codes. */
export function pairingCodesContract(adapter: string, open: OpenRecords): void {
  describe(`${adapter}: pairing codes`, () => {
    test("[P4] a code pairs once, and returns the computer's name to the app", async () => {
      await using records = await open();
      await register(records, "device-1");
      await put(records, "device-1", "code");
      expect(await claim(records, "code", "token")).toEqual({
        pairingId: "pairing of token",
        deviceId: "device-1",
        deviceName: "Name of device-1",
        appId: "app-1",
        appName: "Looper",
        pairedAt: T0,
        lastSeenAt: T0,
      });
      expect(await claim(records, "code", "another")).toBeUndefined();
      expect(await claim(records, "wrong", "another")).toBeUndefined();
      expect(await records.pairings.findAppByToken("another")).toBeUndefined();
    });

    test("[P4] exactly one of many concurrent claims of one code pairs", async () => {
      await using records = await open();
      await register(records, "device-1");
      await put(records, "device-1", "code");
      const claims = await Promise.all(
        Array.from({ length: 20 }, (_, index) => claim(records, "code", `token ${index}`)),
      );
      expect(claims.filter((claimed) => claimed !== undefined)).toHaveLength(1);
      const tokens = await Promise.all(
        claims.map((_, index) => records.pairings.findAppByToken(`token ${index}`)),
      );
      expect(tokens.map(Boolean)).toEqual(claims.map(Boolean));
    });

    test("[P2] a code expires at its exact millisecond, not before", async () => {
      await using records = await open();
      await register(records, "device-1");
      await put(records, "device-1", "code");
      expect(await claim(records, "code", "late", T0 + MINUTE)).toBeUndefined();
      expect(await claim(records, "code", "in time", T0 + MINUTE - 1)).toBeDefined();
    });

    test("[P2] a new code replaces the device's old one", async () => {
      await using records = await open();
      await register(records, "device-1");
      expect(await put(records, "device-1", "old")).toBe(true);
      expect(await put(records, "device-1", "new")).toBe(true);
      expect(await put(records, "device-1", "new")).toBe(true);
      expect(await claim(records, "old", "a")).toBeUndefined();
      expect(await claim(records, "new", "b")).toBeDefined();
    });

    test("[P2] a device's code is removed, if it has one, and no other's", async () => {
      await using records = await open();
      for (const device of ["device-1", "device-2"]) await register(records, device);
      await put(records, "device-1", "code");
      await put(records, "device-2", "another");
      await records.pairings.removeCode("device-1");
      await records.pairings.removeCode("device-1");
      await records.pairings.removeCode("device-none");
      expect(await claim(records, "code", "a")).toBeUndefined();
      expect(await claim(records, "another", "b")).toMatchObject({ deviceId: "device-2" });
      expect(await put(records, "device-1", "code")).toBe(true);
      expect(await claim(records, "code", "c")).toMatchObject({ deviceId: "device-1" });
    });

    test("[P3] no two devices have the same valid code, and the second keeps its previous code", async () => {
      await using records = await open();
      for (const device of ["device-1", "device-2", "device-3"]) await register(records, device);
      await put(records, "device-1", "same");
      await put(records, "device-2", "its own");
      expect(await put(records, "device-2", "same")).toBe(false);
      expect(await put(records, "device-3", "same")).toBe(false);
      expect(await claim(records, "its own", "a")).toMatchObject({ deviceId: "device-2" });
      expect(await claim(records, "same", "b")).toMatchObject({ deviceId: "device-1" });
    });

    test("[P3] an expired or used code is free for another device", async () => {
      await using records = await open();
      for (const device of ["device-1", "device-2"]) await register(records, device);
      await put(records, "device-1", "same");
      expect(await put(records, "device-2", "same", T0 + MINUTE)).toBe(true);
      expect(await claim(records, "same", "a", T0 + MINUTE)).toMatchObject({
        deviceId: "device-2",
      });
      expect(await put(records, "device-1", "same", T0 + MINUTE)).toBe(true);
    });
  });
}

function put({ pairings }: RecordsUnderTest, deviceId: string, codeHash: string, now = T0) {
  return pairings.putCode({ deviceId, codeHash, expiresAt: now + MINUTE, now });
}

function claim({ pairings }: RecordsUnderTest, codeHash: string, tokenHash: string, now = T0) {
  return pairings.claimCode({
    codeHash,
    now,
    pairingId: `pairing of ${tokenHash}`,
    appId: "app-1",
    appName: "Looper",
    tokenHash,
    maxTokens: 10,
  });
}
