import { buffer } from "node:stream/consumers";
import { expect, test } from "vitest";
import { findDownload } from "../../../../relay/domain/packages/find-download.ts";
import { StoreFullError } from "../../../../relay/domain/ports.ts";
import { sweep, unlinkExpiredFirst } from "../../../../relay/domain/upkeep/sweep.ts";
import { takePackage } from "../../../../relay/domain/packages/import-package.ts";
import {
  DAY,
  HOUR,
  insert,
  packageOf,
  T0,
} from "../../../contracts/relay/records/sample-records.ts";
import { holdUntil } from "./hold-until.ts";
import { operatorWho } from "./operator-who.ts";
import {
  announced,
  beforeNextWrite,
  openUseCases,
  pair,
  pairedApp,
  recordOf,
  register,
  send,
  storedKeys,
  upload,
} from "../use-cases.ts";
import { manifestOf } from "../../../manifest-of.ts";

test("[S4] deletes the files of a package at the end of its wait, keeps its record and notifies once", async () => {
  await using cases = await openUseCases();
  const app = await pairedApp(cases);
  const packageId = await send(cases, app, ["a.wav", "b.wav"]);
  cases.notified.length = 0;
  cases.clock.time = T0 + DAY - 1;
  await sweep(cases.context);
  expect(await storedKeys(cases)).toHaveLength(2);
  expect(cases.notified).toEqual([]);
  cases.clock.time = T0 + DAY;
  await sweep(cases.context);
  expect(await storedKeys(cases)).toEqual([]);
  expect(await recordOf(cases, packageId)).toMatchObject({ filesDeleted: true });
  const changed = [
    `package:${packageId} packages.changed`,
    `device:${app.deviceId} packages.changed`,
  ];
  expect(cases.notified).toEqual(changed);
  await sweep(cases.context);
  expect(cases.notified).toEqual(changed);
});

test("[S4] deletes what was uploaded of a package that was never committed", async () => {
  await using cases = await openUseCases();
  const app = await pairedApp(cases);
  const { package_id: packageId } = await announced(cases, app, manifestOf(["a.wav", "b.wav"]));
  await upload(cases, app, packageId, { file: "a.wav" });
  cases.clock.time = T0 + HOUR;
  await sweep(cases.context);
  expect(await storedKeys(cases)).toEqual([]);
  expect(await recordOf(cases, packageId)).toMatchObject({ filesDeleted: true });
});

test("[S4] leaves the files of a package that a run took in between", async () => {
  await using cases = await openUseCases();
  const app = await pairedApp(cases);
  const packageId = await send(cases, app);
  cases.clock.time = T0 + DAY;
  beforeNextWrite(cases, "expire", async () => {
    cases.clock.time -= 1;
    await takePackage(cases.context, app.deviceId, packageId, { run_id: "r" });
    cases.clock.time += 1;
    cases.notified.length = 0;
  });
  await sweep(cases.context);
  expect(await storedKeys(cases)).toHaveLength(1);
  expect(cases.notified).toEqual([]);
  expect(await recordOf(cases, packageId)).toMatchObject({ filesDeleted: false });
  const { read } = await findDownload(cases.context, app.deviceId, packageId, "kick.wav");
  expect((await buffer(await read({ start: 0, end: 3 }))).toString()).toBe("RIFF");
});

test("[S4] doesn't notify of a package that another process swept in between", async () => {
  await using cases = await openUseCases();
  await send(cases, await pairedApp(cases));
  cases.clock.time = T0 + DAY;
  beforeNextWrite(cases, "expire", async () => {
    await sweep(cases.context);
    cases.notified.length = 0;
  });
  await sweep(cases.context);
  expect(cases.notified).toEqual([]);
  expect(await storedKeys(cases)).toEqual([]);
});

test("[S4] leaves a package whose files another process is about to delete", async () => {
  await using cases = await openUseCases();
  const app = await pairedApp(cases);
  const packageId = await send(cases, app);
  cases.context.packages.expire = async () => [];
  cases.notified.length = 0;
  cases.clock.time = T0 + 8 * DAY - 1;
  await sweep(cases.context);
  expect(await storedKeys(cases)).toHaveLength(1);
  expect(await recordOf(cases, packageId)).toMatchObject({ filesDeleted: false });
  expect(cases.notified).toEqual([]);
});

test("[S5] forgets a package when its status has been readable for long enough", async () => {
  await using cases = await openUseCases();
  const app = await pairedApp(cases);
  const packageId = await send(cases, app);
  cases.clock.time = T0 + 8 * DAY - 1;
  await sweep(cases.context);
  expect(await recordOf(cases, packageId)).toMatchObject({ filesDeleted: true });
  cases.clock.time = T0 + 8 * DAY;
  await sweep(cases.context);
  expect(await cases.context.packages.find(packageId)).toBeUndefined();
});

test("[S5] forgets a package and its files at once where the relay stood still for long", async () => {
  await using cases = await openUseCases();
  const app = await pairedApp(cases);
  const packageId = await send(cases, app);
  cases.notified.length = 0;
  cases.clock.time = T0 + 8 * DAY;
  await sweep(cases.context);
  expect(await cases.context.packages.find(packageId)).toBeUndefined();
  expect(await storedKeys(cases)).toEqual([]);
  const changed = [
    `package:${packageId} packages.changed`,
    `device:${app.deviceId} packages.changed`,
  ];
  // First its files go, then its record.
  expect(cases.notified).toEqual([...changed, ...changed]);
});

test("[S5] leaves the files of a package that changed before it could be forgotten", async () => {
  await using cases = await openUseCases();
  const app = await pairedApp(cases);
  const packageId = await send(cases, app);
  cases.clock.time = T0 + 8 * DAY;
  // Another process has locked the computer.
  cases.context.packages.expire = async () => [];
  beforeNextWrite(cases, "remove", async () => {
    await cases.context.packages.update(await recordOf(cases, packageId));
    cases.notified.length = 0;
  });
  await sweep(cases.context);
  expect(await storedKeys(cases)).toHaveLength(1);
  expect(cases.notified).toEqual([]);
  await sweep(cases.context);
  expect(await storedKeys(cases)).toEqual([]);
});

test("[S4] ends although none of many due packages can be written", async () => {
  await using cases = await openUseCases({ packagesPerHour: 1000 });
  const app = await pairedApp(cases);
  for (let count = 0; count < 100; count += 1) await announced(cases, app);
  let refused = 0;
  const refuse = () => {
    refused += 1;
    if (refused > 200) throw new Error("It is tried again and again.");
  };
  const { packages } = cases.context;
  packages.expire = async () => (refuse(), []);
  packages.remove = async () => (refuse(), undefined);
  cases.clock.time = T0 + HOUR;
  await sweep(cases.context);
  cases.clock.time = T0 + 8 * DAY;
  await sweep(cases.context);
  expect(refused).toBe(102);
});

test("[P8] deletes a computer that was not seen for 90 days, and no other", async () => {
  await using cases = await openUseCases();
  const idle = await register(cases);
  const used = await register(cases);
  for (const { deviceId } of [idle, used]) await pair(cases, deviceId);
  const { known, pairings, digest } = cases.context;
  const find = (token: string) => pairings.findDevice(digest.ofText(token));
  cases.clock.time = T0 + 90 * DAY;
  await known.device(used.importerToken);
  await sweep(cases.context);
  expect(await find(idle.importerToken)).toBeDefined();
  cases.clock.time += 1;
  await sweep(cases.context);
  expect(await find(idle.importerToken)).toBeUndefined();
  expect(await find(used.importerToken)).toMatchObject({ lastSeenAt: T0 + 90 * DAY });
});

test("[M9] forgets keys and announcements that no longer count", async () => {
  await using cases = await openUseCases();
  const times: number[] = [];
  cases.context.packages.forgetOld = async (now) => void times.push(now);
  await sweep(cases.context);
  expect(times).toEqual([T0]);
});

test("[S4] sweeps up everything that is due, more than it changes at one time", async () => {
  await using cases = await openUseCases();
  const { deviceId, appId } = await pairedApp(cases);
  for (let at = 0; at < 101; at += 1) {
    const record = packageOf(`pkg_${at}`, { deviceId, appId, createdAt: T0 - 9 * DAY });
    await insert(cases.context, record);
  }
  await sweep(cases.context);
  expect(await cases.context.packages.listDue(T0, 0, 1000)).toEqual([]);
});

test("[S4] a package that can't be changed keeps no other, and a step that fails no other step", async () => {
  await using cases = await openUseCases();
  const app = await pairedApp(cases);
  const [kept, gone] = [await send(cases, app), await send(cases, app)];
  const { packages } = cases.context;
  const remove = packages.remove.bind(packages);
  const broken = new Error("This one can't be removed.");
  packages.remove = async (packageId, version) => {
    if (packageId === kept) throw broken;
    return remove(packageId, version);
  };
  cases.clock.time = T0 + 8 * DAY;
  await expect(sweep(cases.context)).rejects.toBe(broken);
  expect(await packages.find(kept)).toBeDefined();
  expect(await packages.find(gone)).toBeUndefined();
  packages.forgetOld = async () => Promise.reject(new Error("Nothing is forgotten."));
  await expect(sweep(cases.context)).rejects.toThrow("Several steps of a sweep failed.");
});

test.each([true, false])(
  "[Z7] frees what expired where a full disk can't note it first (known to be full: %s)",
  async (isKnown) => {
    await using cases = await openUseCases();
    const { context, clock } = cases;
    await send(cases, await pairedApp(cases));
    clock.time = T0 + DAY;
    if (isKnown) context.health.note("full", "The disk is full.");
    const { packages } = context;
    const stored: number[] = [];
    packages.expire = async () => {
      stored.push((await storedKeys(cases)).length);
      throw new StoreFullError("No room.");
    };
    await expect(sweep(context)).rejects.toThrow();
    expect(stored).toEqual(isKnown ? [1, 0] : [1, 1]);
  },
);

test("[Z7] while the disk is full, packages without files don't keep the files of others", async () => {
  await using cases = await openUseCases();
  const { context, clock } = cases;
  const packageId = await send(cases, await pairedApp(cases));
  const waiting = await send(cases, await pairedApp(cases));
  clock.time = T0 + DAY;
  const due = await recordOf(cases, packageId);
  const empty = { ...due, uploaded: new Map() };
  const later = await recordOf(cases, waiting);
  const records = [
    ...Array.from({ length: 1500 }, () => empty),
    { ...later, life: { ...later.life, waitEndsAt: clock.time + 1 } },
    { ...later, filesDeleted: true },
    due,
  ];
  const asked: number[] = [];
  context.packages.listDue = async (_now, _window, limit) => {
    asked.push(limit);
    return records.slice(0, limit);
  };
  let isHeld = true;
  holdUntil(context, () => clock.time + (isHeld ? 1 : 0));
  await unlinkExpiredFirst(context);
  expect(asked).toEqual([]);
  isHeld = false;
  await unlinkExpiredFirst(context);
  expect(asked).toEqual([1000, 2000]);
  expect(await storedKeys(cases)).toEqual([...later.uploaded.values()]);
  await unlinkExpiredFirst(context);
  expect(asked.slice(2)).toEqual([1000, 2000]);
});

test("[AD1][AD9] heeds the operator, and forgets computers never paired after a week", async () => {
  await using cases = await openUseCases();
  const heard: unknown[] = [];
  const operator = await operatorWho({
    readDecisions: async () => {
      heard.push("decisions");
      return { addresses: [], devices: [], off: new Map(), deniesSounds: false, hasKeys: false };
    },
  });
  cases.context.pairings.listDevices = async (which) => (heard.push(which), []);
  heard.length = 0;
  await sweep({ ...cases.context, operator });
  expect(heard).toEqual([
    { unseenSince: T0 - 90 * DAY },
    { unseenSince: T0 - 7 * DAY, neverPaired: true },
    "decisions",
  ]);
});
