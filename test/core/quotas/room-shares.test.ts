import { expect, test } from "vitest";
import { MAX_PACKAGE_BYTES, RELAY_DEFAULTS } from "../../../core/limits.ts";
import { judgeInsert, type InsertCounts, type Quotas } from "../../../core/quotas/judge-insert.ts";
import { judgeRoom, type RoomCounts, roomLeft } from "../../../core/quotas/judge-room.ts";
import {
  type AppUse,
  findFiller,
  leftFor,
  sharesOfBytes,
  sharesOfWaiting,
  waitingLeft,
} from "../../../core/quotas/room-shares.ts";

const MIB = 1024 ** 2;
const GIB = 1024 ** 3;
const NOTHING: InsertCounts = {
  deviceExists: true,
  earlier: undefined,
  nthLatestAt: undefined,
  receivedBytes: 0,
  waitingPackages: 0,
  storedBytes: 0,
  reservedOfApp: 0,
  others: [],
  spareBytes: 0,
  reservedOfAddress: 0,
  reservedOfNetworks: [],
  reservedBytes: 0,
};
const QUOTAS: Quotas = {
  packagesPerHour: 30,
  waitingPerDevice: RELAY_DEFAULTS.waitingPackagesPerDevice,
  bytesPerDevice: RELAY_DEFAULTS.bytesPerDevice,
  bytesPerAddressPerDay: Infinity,
  unfilledPerApp: Infinity,
  unfilledPerAddress: Infinity,
  uncrowdedBytes: Infinity,
  roomBytes: "unknown",
};

function app(appId: string, storedMib: number, more: Partial<AppUse> = {}): AppUse {
  return { appId, storedBytes: storedMib * MIB, reservedBytes: 0, waitingPackages: 0, ...more };
}

function ask(mib: number, counts: Partial<RoomCounts>, quotas: Partial<Quotas> = {}) {
  return judgeRoom({ ...NOTHING, ...counts }, { ...QUOTAS, ...quotas }, { bytes: mib * MIB });
}

test.each([
  [2 * GIB, 400 * MIB],
  [848 * MIB, 0],
  [848 * MIB + 2, 0],
  [848 * MIB + 3, 1],
  [1 * GIB, (176 / 3) * MIB],
  [2 * GIB - 1, 400 * MIB - 1],
  [2 * GIB - 3, 400 * MIB - 1],
  [2 * GIB + 1, 400 * MIB],
  [1, 0],
])("[L11] of %i bytes, each place has %i", (total, place) => {
  expect(sharesOfBytes(total).place).toBe(Math.floor(place));
});

test.each([
  [200, 39],
  [199, 38],
  [300, 39],
  [86, 1],
  [85, 0],
  [83, 0],
  [1, 0],
])("[L11] of %i waiting packages, each place has %i", (total, place) => {
  expect(sharesOfWaiting(total).place).toBe(place);
});

test("[L11] an app alone fills 848 MiB, the next three 400 MiB each, and the fifth gets nothing", () => {
  expect(2 * MAX_PACKAGE_BYTES).toBe(400 * MIB);
  const held: AppUse[] = [];
  for (const [name, mib] of [
    ["A", 848],
    ["B", 400],
    ["C", 400],
    ["D", 400],
  ] as const) {
    expect(roomLeft({ ...NOTHING, others: held }, QUOTAS)).toBe(mib * MIB);
    expect(ask(mib, { others: held })).toBeUndefined();
    expect(ask(mib + 1, { others: held })).toMatchObject({ kind: "device-full" });
    held.push(app(name, mib));
  }
  expect(roomLeft({ ...NOTHING, others: held }, QUOTAS)).toBe(0);
  expect(ask(1, { others: held })).toEqual({ kind: "device-full", of: { appId: "A" } });
});

test("[L11] places are kept for the other apps that hold most, as far as they lack", () => {
  const others = [app("small", 100), app("big", 300), app("bigger", 500), app("least", 50)];
  const left = leftFor(
    sharesOfBytes(2 * GIB),
    0,
    others.map(({ storedBytes }) => storedBytes),
  );
  expect(left).toBe((2048 - 500 - 400 - 400 - 50) * MIB);
});

test("[L11] what another app reserves fills its place, and is refused as unfinished beyond it", () => {
  const reserving = app("A", 848, { reservedBytes: 300 * MIB });
  expect(ask(101, { others: [reserving] })).toEqual({ kind: "uploads-unfinished", of: "device" });
  expect(ask(100, { others: [reserving] })).toBeUndefined();
  const within = app("A", 100, { reservedBytes: 300 * MIB });
  expect(ask(848, { others: [within] })).toBeUndefined();
});

test("[L11][U6] a file is sent again although other apps hold what was the rest", () => {
  const others = [app("B", 400), app("C", 400), app("D", 300), app("E", 100)];
  const counts = { ...NOTHING, storedBytes: 848 * MIB, others };
  expect(judgeRoom(counts, QUOTAS, { bytes: 0, replacedBytes: 9 })).toBeUndefined();
  expect(judgeRoom(counts, QUOTAS, { bytes: 1 })).toMatchObject({ kind: "device-full" });
});

test("[L11] a small room is one for all apps, as they come", () => {
  const bytesPerDevice = 300 * MIB;
  expect(ask(100, { others: [app("A", 200)] }, { bytesPerDevice })).toBeUndefined();
  const full = ask(101, { others: [app("A", 200)] }, { bytesPerDevice });
  expect(full).toEqual({ kind: "device-full", of: { appId: "A" } });
});

test("[L11] one app may have 83 packages waiting, three others 39 each, and commits beyond cost nobody", () => {
  const waits = (appId: string, count: number) => app(appId, 0, { waitingPackages: count });
  const left = (waitingPackages: number, others: readonly AppUse[]) =>
    waitingLeft(200, { waitingPackages, others });
  expect(left(0, [])).toBe(83);
  expect(left(82, [])).toBe(1);
  expect(left(83, [])).toBe(0);
  const A = waits("A", 83);
  expect(left(0, [A])).toBe(39);
  expect(left(0, [waits("A", 112)])).toBe(39);
  expect(left(0, [A, waits("B", 39)])).toBe(39);
  const four = [waits("A", 112), waits("B", 39), waits("C", 39)];
  expect(left(38, four)).toBe(1);
  expect(left(0, [...four, waits("D", 39)])).toBe(0);
  expect(left(0, [waits("A", 9)].concat(waits("B", 9), waits("C", 9), waits("D", 9)))).toBe(74);
  expect(waitingLeft(2, { waitingPackages: 1, others: [waits("A", 5)] })).toBe(-1);
  const counts = { ...NOTHING, waitingPackages: 39, others: four };
  const now = 0;
  expect(judgeInsert(counts, QUOTAS, { bytes: 1, now })).toEqual({
    kind: "many-wait",
    of: { appId: "A" },
  });
  const own = { ...NOTHING, waitingPackages: 83 };
  expect(judgeInsert(own, QUOTAS, { bytes: 1, now })).toEqual({ kind: "many-wait", of: "caller" });
});

test("[L11] the app that is named is the one whose end makes the most room for the caller", () => {
  const shares = { total: 100, place: 10 };
  const held = (appId: string, bytes: number) => ({ appId, held: bytes });
  expect(findFiller(shares, 20, [held("A", 30)])).toBe("caller");
  expect(findFiller(shares, 19, [held("A", 30)])).toEqual({ appId: "A" });
  expect(findFiller(shares, 0, [held("A", 10)])).toBe("nobody");
  const four = [held("A", 12), held("B", 13), held("C", 14), held("D", 9)];
  expect(findFiller(shares, 0, four)).toEqual({ appId: "D" });
  expect(findFiller(shares, 0, [])).toBe("nobody");
});

test("[L12] spare packages take no room from announcements, and go as far as all together exceed the total", () => {
  const counts = { storedBytes: 500 * MIB, spareBytes: 1400 * MIB };
  expect(ask(148, counts)).toBeUndefined();
  expect(ask(149, counts)).toEqual({
    kind: "device-full",
    of: "caller",
    frees: { of: "device", bytes: 1 * MIB },
  });
  expect(ask(349, counts)).toEqual({ kind: "device-full", of: "caller" });
  expect(roomLeft({ ...NOTHING, ...counts }, QUOTAS)).toBe(348 * MIB);
});

test("[L12] spare packages go for the disk only if nothing else refuses the announcement", () => {
  const disk = { roomBytes: 100 * MIB, uncrowdedBytes: 100 * MIB };
  const refused = { kind: "no-room", frees: { of: "relay", bytes: 50 * MIB } };
  expect(ask(150, {}, disk)).toEqual(refused);
  expect(ask(150, { spareBytes: 2 * GIB }, disk)).toEqual(refused);
  const ofAddress = { reservedOfAddress: 1 };
  const unfilledPerAddress = 150 * MIB;
  expect(ask(150, ofAddress, { ...disk, unfilledPerAddress })).toEqual({ kind: "no-room" });
  expect(ask(60, { reservedBytes: 50 * MIB }, disk)).toEqual({
    kind: "uploads-unfinished",
    of: "relay",
    frees: { of: "relay", bytes: 10 * MIB },
  });
});
