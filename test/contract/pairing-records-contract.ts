import { describe, expect, test } from "vitest";
import {
  DAY,
  MINUTE,
  type OpenRecords,
  T0,
  committed,
  insert,
  packageOf,
  pair,
  register,
} from "./records-under-test.ts";

/** The contract suite of `PairingRecords` for devices and pairings; codes have their own. */
export function pairingRecordsContract(adapter: string, open: OpenRecords): void {
  describe(`${adapter}: devices`, () => devices(open));
  describe(`${adapter}: pairings and tokens`, () => pairings(open));
}

function devices(open: OpenRecords): void {
  test("finds a device by its token and by nothing else", async () => {
    await using records = await open();
    await register(records, "device-1");
    await register(records, "device-2");
    expect(await records.pairings.findDeviceByToken("device-2-token")).toEqual({
      deviceId: "device-2",
      deviceName: "Name of device-2",
      registeredAt: T0,
      lastSeenAt: T0,
    });
    expect(await records.pairings.findDeviceByToken("device-3-token")).toBeUndefined();
  });

  test("rejects a change that fails, and does not affect concurrent ones", async () => {
    await using records = await open();
    await register(records, "device-1");
    const outcomes = await Promise.allSettled([
      register(records, "device-2"),
      register(records, "device-1"),
      register(records, "device-3"),
    ]);
    expect(outcomes.map(({ status }) => status)).toEqual(["fulfilled", "rejected", "fulfilled"]);
    for (const id of ["device-1", "device-2", "device-3"]) {
      expect(await records.pairings.findDeviceByToken(`${id}-token`)).toBeDefined();
    }
  });

  test("[P8] returns a device's new name to its apps", async () => {
    await using records = await open();
    await register(records, "device-1");
    await pair(records, "device-1", { tokenHash: "token" });
    await records.pairings.renameDevice("device-1", "Attic");
    expect(await records.pairings.findAppByToken("token")).toMatchObject({ deviceName: "Attic" });
    expect(await records.pairings.findDeviceByToken("device-1-token")).toMatchObject({
      deviceName: "Attic",
    });
  });

  test("[P8] removes a device with its tokens, code and packages, and returns their sounds", async () => {
    await using records = await open();
    for (const device of ["device-1", "device-2"]) {
      await register(records, device);
      await pair(records, device, { tokenHash: `${device}-app` });
      await records.pairings.putCode({
        deviceId: device,
        codeHash: `${device}-code`,
        expiresAt: T0 + DAY,
        now: T0,
      });
      const record = packageOf(`pkg_${device}`, { deviceId: device, sizes: [1, 2] });
      await insert(records, record);
      await records.packages.update(committed(record, T0));
    }
    const keys = await records.pairings.removeDevice("device-1");
    expect([...keys].sort()).toEqual(["pkg_device-1/snd_1", "pkg_device-1/snd_2"]);
    expect(await records.pairings.findDeviceByToken("device-1-token")).toBeUndefined();
    expect(await records.pairings.findAppByToken("device-1-app")).toBeUndefined();
    expect(await records.packages.find("pkg_device-1")).toBeUndefined();
    expect(await claim(records, "device-1-code", "late")).toBeUndefined();

    expect(await records.pairings.findAppByToken("device-2-app")).toBeDefined();
    expect(await records.packages.find("pkg_device-2")).toBeDefined();
    expect(await claim(records, "device-2-code", "other")).toBeDefined();
    expect(await records.pairings.removeDevice("device-1")).toEqual([]);
  });

  test("[P8] lists devices last seen before a time, and last-seen times never decrease", async () => {
    await using records = await open();
    await register(records, "device-1");
    await register(records, "device-2");
    const see = (time: number) =>
      records.pairings.noteSeen({ devices: new Map([["device-1", time]]), pairings: new Map() });
    await see(T0 + DAY);
    await see(T0 + MINUTE);
    expect(await records.pairings.listDevicesUnseenSince(T0)).toEqual([]);
    expect(await records.pairings.listDevicesUnseenSince(T0 + 1)).toEqual(["device-2"]);
    expect(await records.pairings.listDevicesUnseenSince(T0 + DAY)).toEqual(["device-2"]);
    expect([...(await records.pairings.listDevicesUnseenSince(T0 + DAY + 1))].sort()).toEqual([
      "device-1",
      "device-2",
    ]);
  });
}

function pairings(open: OpenRecords): void {
  test("[P5] pairing an app again keeps the pairing and its tokens, and takes the newest name", async () => {
    await using records = await open();
    await register(records, "device-1");
    const first = await pair(records, "device-1", { appName: "Old", tokenHash: "one" });
    const later = await pair(records, "device-1", {
      appName: "New",
      tokenHash: "two",
      now: T0 + DAY,
    });
    expect(later).toEqual({
      ...first,
      appName: "New",
      pairedAt: T0 + DAY,
      lastSeenAt: T0 + DAY,
    });
    expect(await records.pairings.findAppByToken("one")).toEqual(later);
    expect(await records.pairings.findAppByToken("two")).toEqual(later);
    expect(await records.pairings.listPairings("device-1")).toHaveLength(1);
  });

  test("[P5] a pairing keeps its ten newest tokens, apart from other apps' tokens", async () => {
    await using records = await open();
    await register(records, "device-1");
    await pair(records, "device-1", { appId: "other", tokenHash: "of another app" });
    // All have the same timestamp: insertion order decides which is oldest, not the clock.
    for (let index = 1; index <= 12; index += 1) {
      await pair(records, "device-1", { tokenHash: `token ${index}` });
    }
    const found = (hash: string) => records.pairings.findAppByToken(hash);
    expect(await found("token 1")).toBeUndefined();
    expect(await found("token 2")).toBeUndefined();
    for (let index = 3; index <= 12; index += 1) {
      expect(await found(`token ${index}`)).toBeDefined();
    }
    expect(await found("of another app")).toBeDefined();
  });

  test("[P5] removing a token removes only that one, and the last one removes the pairing", async () => {
    await using records = await open();
    await register(records, "device-1");
    await pair(records, "device-1", { tokenHash: "one" });
    await pair(records, "device-1", { tokenHash: "two" });
    expect(await records.pairings.removeAppToken("none")).toEqual({ wasLast: false });
    expect(await records.pairings.removeAppToken("one")).toEqual({ wasLast: false });
    expect(await records.pairings.findAppByToken("one")).toBeUndefined();
    expect(await records.pairings.findAppByToken("two")).toBeDefined();
    expect(await records.pairings.removeAppToken("two")).toEqual({ wasLast: true });
    expect(await records.pairings.listPairings("device-1")).toEqual([]);
    expect(await records.pairings.removeAppToken("two")).toEqual({ wasLast: false });
  });

  test("[A3] exactly one of two removals of a pairing's last two tokens reports the last", async () => {
    await using records = await open();
    await register(records, "device-1");
    await pair(records, "device-1", { tokenHash: "one" });
    await pair(records, "device-1", { tokenHash: "two" });
    const results = await Promise.all(
      ["one", "two"].map((hash) => records.pairings.removeAppToken(hash)),
    );
    expect(results.filter(({ wasLast }) => wasLast)).toHaveLength(1);
  });

  test("[P7] unpairing revokes every token of the pairing, on its own device only", async () => {
    await using records = await open();
    await register(records, "device-1");
    await register(records, "device-2");
    await pair(records, "device-1", { tokenHash: "one" });
    const paired = await pair(records, "device-1", { tokenHash: "two" });
    const id = paired?.pairingId ?? "";
    expect(await records.pairings.removePairing("device-2", id)).toBeUndefined();
    expect(await records.pairings.findAppByToken("one")).toBeDefined();

    const { deviceName: _, ...pairing } = paired ?? { deviceName: "" };
    expect(await records.pairings.removePairing("device-1", id)).toEqual(pairing);
    expect(await records.pairings.findAppByToken("one")).toBeUndefined();
    expect(await records.pairings.findAppByToken("two")).toBeUndefined();
    expect(await records.pairings.removePairing("device-1", id)).toBeUndefined();
  });

  test("[P7] a pairing records when it was last seen", async () => {
    await using records = await open();
    await register(records, "device-1");
    const paired = await pair(records, "device-1");
    const see = (time: number) =>
      records.pairings.noteSeen({
        devices: new Map([["gone", time]]),
        pairings: new Map([[paired?.pairingId ?? "", time]]),
      });
    await see(T0 + DAY);
    await see(T0 + MINUTE);
    expect(await records.pairings.listPairings("device-1")).toMatchObject([
      { lastSeenAt: T0 + DAY, pairedAt: T0 },
    ]);
  });
}

function claim(
  { pairings }: Awaited<ReturnType<OpenRecords>>,
  codeHash: string,
  tokenHash: string,
) {
  const pairingId = `pairing of ${tokenHash}`;
  const app = { appId: "app-9", appName: "Claimer", tokenHash, maxTokens: 10 };
  return pairings.claimCode({ codeHash, now: T0, pairingId, ...app });
}
