import { describe, expect, test } from "vitest";
import type { PackageRecord } from "../../relay/domain/ports.ts";
import {
  DAY,
  HOUR,
  MINUTE,
  type OpenRecords,
  type RecordsUnderTest,
  T0,
  committed,
  insert,
  packageOf,
  register,
} from "./records-under-test.ts";

const DONE = { kind: "inserted" };

/** The contract suite of `PackageRecords` for the quotas of an insert. */
export function packageQuotasContract(adapter: string, open: OpenRecords): void {
  const openWithDevices: OpenRecords = async () => {
    const records = await open();
    await register(records, "device-1");
    await register(records, "device-2");
    return records;
  };
  describe(`${adapter}: the hourly limit`, () => hourlyLimit(openWithDevices));
  describe(`${adapter}: bytes per address`, () => addressLimit(openWithDevices));
  describe(`${adapter}: room`, () => room(openWithDevices));
}

function hourlyLimit(open: OpenRecords): void {
  const quotas = { packagesPerHour: 3 };
  const announce = (records: RecordsUnderTest, id: string, minute: number, more = {}) =>
    insert(records, packageOf(id, { createdAt: T0 + minute * MINUTE, ...more }), { quotas });

  test("[L1] the window slides: the next package is allowed an hour after the third last", async () => {
    await using records = await open();
    for (const minute of [0, 20, 40]) {
      expect(await announce(records, `pkg_${minute}`, minute)).toEqual(DONE);
    }
    expect(await announce(records, "early", 59)).toEqual({
      kind: "hourly-limit",
      freeAt: T0 + HOUR,
    });
    expect(await records.packages.find("early")).toBeUndefined();
    expect(await announce(records, "pkg_60", 60)).toEqual(DONE);
    expect(await announce(records, "early", 61)).toEqual({
      kind: "hourly-limit",
      freeAt: T0 + 80 * MINUTE,
    });
  });

  test("[L1] the limit belongs to one app on one device, and a withdrawal does not refund it", async () => {
    await using records = await open();
    for (const minute of [1, 2, 3]) {
      await announce(records, `pkg_${minute}`, minute);
      await records.packages.remove(`pkg_${minute}`, 1);
    }
    expect(await announce(records, "pkg_4", 4)).toMatchObject({ kind: "hourly-limit" });
    expect(await announce(records, "pkg_5", 4, { appId: "app-2" })).toEqual(DONE);
    expect(await announce(records, "pkg_6", 4, { deviceId: "device-2" })).toEqual(DONE);
  });

  test("[L1] concurrent packages get no more than the limit", async () => {
    await using records = await open();
    const outcomes = await Promise.all(
      Array.from({ length: 20 }, (_, index) => announce(records, `pkg_${index}`, 0)),
    );
    expect(outcomes.filter(({ kind }) => kind === "inserted")).toHaveLength(3);
  });

  test("[L1] nothing that still counts is dropped, and refusals never count", async () => {
    await using records = await open();
    for (const minute of [0, 1, 2]) await announce(records, `pkg_${minute}`, minute);
    for (let again = 0; again < 5; again += 1) await announce(records, "refused", 3);
    await records.packages.forgetOld(T0 + 10 * MINUTE);
    expect(await announce(records, "pkg_3", 10)).toMatchObject({ kind: "hourly-limit" });
    expect(await announce(records, "pkg_4", 60)).toEqual(DONE);
  });
}

function announceFrom(
  records: RecordsUnderTest,
  id: string,
  hour: number,
  bytes: number,
  address = "192.0.2.1",
) {
  return insert(records, packageOf(id, { createdAt: T0 + hour * HOUR, sizes: [bytes] }), {
    quotas: { bytesPerAddressPerDay: 1000 },
    address,
  });
}

function addressLimit(open: OpenRecords): void {
  test("[L4] an address may announce a maximum of bytes in any 24 hours", async () => {
    await using records = await open();
    expect(await announceFrom(records, "a", 0, 300)).toEqual(DONE);
    expect(await announceFrom(records, "b", 1, 300)).toEqual(DONE);
    expect(await announceFrom(records, "c", 2, 400)).toEqual(DONE);
    expect(await announceFrom(records, "d", 3, 1)).toEqual({
      kind: "address-limit",
      freeAt: T0 + DAY,
    });
    expect(await announceFrom(records, "d", 3, 500)).toEqual({
      kind: "address-limit",
      freeAt: T0 + HOUR + DAY,
    });
    expect(await announceFrom(records, "e", 3, 1000, "192.0.2.2")).toEqual(DONE);
    expect(await announceFrom(records, "f", 24, 300)).toEqual(DONE);
  });

  test("[L4] neither a withdrawal nor a new registration refunds bytes", async () => {
    await using records = await open();
    await announceFrom(records, "a", 0, 1000);
    await records.packages.remove("a", 1);
    await records.pairings.removeDevice("device-2");
    await register(records, "device-2");
    await records.packages.forgetOld(T0 + 23 * HOUR);
    const outcome = await insert(
      records,
      packageOf("b", { deviceId: "device-2", createdAt: T0 + 23 * HOUR }),
      { quotas: { bytesPerAddressPerDay: 1000 } },
    );
    expect(outcome).toMatchObject({ kind: "address-limit" });
  });

  test("[L4] a package larger than the day's bytes gets a time within a day", async () => {
    await using records = await open();
    expect(await announceFrom(records, "a", 0, 1001)).toEqual({
      kind: "address-limit",
      freeAt: T0 + DAY,
    });
  });
}

function room(open: OpenRecords): void {
  test("[L2] a device has a maximum of waiting packages, and only waiting ones count", async () => {
    await using records = await open();
    const announce = (id: string, more: Partial<PackageRecord> = {}) =>
      insert(records, packageOf(id, { createdAt: T0 + MINUTE, ...more }), {
        quotas: { waitingPerDevice: 1 },
      });
    const { life } = committed(packageOf("x"), T0);
    await insert(records, packageOf("uploading"));
    for (const outcome of ["imported", "partial", "failed"] as const) {
      await insert(records, { ...packageOf(outcome), life: { ...life, outcome } });
    }
    await insert(records, { ...packageOf("expired"), life: { ...life, waitEndsAt: T0 + 1 } });
    await insert(records, committed(packageOf("elsewhere", { deviceId: "device-2" }), T0));
    expect(await announce("pkg_1")).toEqual(DONE);
    await insert(records, { ...packageOf("waits"), life });
    expect(await announce("pkg_2")).toEqual({ kind: "many-wait" });
    expect(await announce("pkg_3", { createdAt: T0 + DAY })).toEqual(DONE);
  });

  test("[L2] a device has a maximum of bytes in packages whose files exist", async () => {
    await using records = await open();
    const announce = (id: string, bytes: number, more: Partial<PackageRecord> = {}) =>
      insert(records, packageOf(id, { sizes: [bytes], ...more }), {
        quotas: { bytesPerDevice: 1000 },
      });
    expect(await announce("a", 600)).toEqual(DONE);
    expect(await announce("b", 401)).toEqual({ kind: "device-full" });
    expect(await announce("b", 400)).toEqual(DONE);
    expect(await announce("c", 1000, { deviceId: "device-2" })).toEqual(DONE);
    await records.packages.remove("a", 1);
    expect(await announce("d", 600, { createdAt: T0 + MINUTE })).toEqual(DONE);
    expect(await announce("e", 1, { createdAt: T0 + HOUR - 1 })).toEqual({ kind: "device-full" });
    expect(await announce("e", 400, { createdAt: T0 + HOUR })).toEqual(DONE);
  });

  test("[U6] an announcement reserves room: what others still have to upload is subtracted", async () => {
    await using records = await open();
    const announce = (id: string, bytes: number, createdAt = T0) =>
      insert(records, packageOf(id, { sizes: [bytes, 1], createdAt, deviceId: "device-2" }), {
        quotas: { roomBytes: 1000 },
      });
    const first = packageOf("a", { sizes: [600, 100] });
    await insert(records, first);
    expect(await announce("b", 300)).toEqual({ kind: "no-room" });
    expect(await announce("b", 299)).toEqual(DONE);
    // Uploaded bytes are on the disk, so its free bytes already exclude them.
    await records.packages.update({
      ...first,
      uploaded: new Map([["sound 1.wav", "a/snd_1"]]),
    });
    expect(await announce("c", 600)).toEqual({ kind: "no-room" });
    expect(await announce("c", 599)).toEqual(DONE);
    expect(await announce("d", 1, T0 + HOUR - 1)).toEqual({ kind: "no-room" });
    expect(await announce("d", 999, T0 + HOUR)).toEqual(DONE);
  });

  test("[U6] exactly one of many concurrent packages gets the last room", async () => {
    await using records = await open();
    const outcomes = await Promise.all(
      Array.from({ length: 10 }, (_, index) =>
        insert(records, packageOf(`pkg_${index}`, { sizes: [600] }), {
          quotas: { roomBytes: 1000 },
        }),
      ),
    );
    expect(outcomes.filter(({ kind }) => kind === "inserted")).toHaveLength(1);
  });

  test("[L1][L2] quotas are checked in the order hourly limit, address, many wait, device, room", async () => {
    await using records = await open();
    await insert(records, committed(packageOf("waits", { sizes: [100] }), T0));
    await insert(records, packageOf("uploading", { sizes: [100] }));
    const none = {
      packagesPerHour: 0,
      bytesPerAddressPerDay: 0,
      waitingPerDevice: 0,
      bytesPerDevice: 0,
      roomBytes: 0,
    };
    const kinds: string[] = [];
    for (const open of [
      {},
      { packagesPerHour: 100 },
      { bytesPerAddressPerDay: 1e9 },
      { waitingPerDevice: 100 },
      { bytesPerDevice: 1e9 },
      { roomBytes: 1e9 },
    ]) {
      Object.assign(none, open);
      kinds.push((await insert(records, packageOf("pkg_1"), { quotas: none })).kind);
    }
    expect(kinds).toEqual([
      "hourly-limit",
      "address-limit",
      "many-wait",
      "device-full",
      "no-room",
      "inserted",
    ]);
  });
}
