import { expect, test } from "vitest";
import {
  StoreBusyError,
  StoreFullError,
  StoreLostError,
  StoreTroubleError,
} from "../../../../relay/domain/ports.ts";
import {
  lookForRoom,
  noteReserve,
  tryStores,
  watchFullDisk,
} from "../../../../relay/domain/upkeep/check-health.ts";
import { openUseCases } from "../use-cases.ts";

test.each([
  [new StoreFullError("x"), "full", "the disk is full. Free some space."],
  [new StoreBusyError("x"), "locked", "another program has locked the database. Close it."],
  [
    new StoreLostError("x"),
    "lost",
    "the database or the folder of sounds was exchanged or damaged. The log says more.",
  ],
  [
    new StoreTroubleError("x", { code: "EIO" }),
    "failing",
    "the disk or the database fails. The log says more.",
  ],
])("[K9] why no change succeeds is noted until one does: %s", async (cause, reason, why) => {
  await using cases = await openUseCases();
  const { context } = cases;
  const { upkeep, packages, sounds } = context;
  if (upkeep === undefined) throw new Error("SQLite has upkeep.");
  const note = () => context.health.notices.get("writing");
  expect([await tryStores(context), note()]).toEqual([undefined, undefined]);

  const fails = async () => Promise.reject(cause);
  const tryChange = upkeep.tryChange.bind(upkeep);
  Object.assign(upkeep, { tryChange: fails });
  expect(await tryStores(context)).toMatchObject({
    reason,
    part: "database",
    cause: { name: cause.name },
  });
  expect(note()).toBe(`Nothing can be saved: ${why}`);
  const room = sounds.room.bind(sounds);
  sounds.room = fails;
  expect(await tryStores(context)).toMatchObject({ part: "database" });

  Object.assign(upkeep, { tryChange });
  expect(await tryStores(context)).toMatchObject({
    reason,
    part: "store",
    cause: { name: cause.name },
  });
  sounds.room = room;
  expect([await tryStores(context), note()]).toEqual([undefined, undefined]);

  packages.find = fails;
  const { upkeep: _none, ...without } = context;
  expect(await tryStores(without)).toMatchObject({ part: "database" });
});

/** The least room that a sound needs, in bytes. */
const LEAST = 65_536;

/** The room that the database and the sounds' disk report. */
interface Disk {
  isRefilled: boolean;
  room: number | "unknown";
}

/** Opens a relay on a disk that is as full as the test says. */
async function openBallast(minFreeBytes = 0) {
  const cases = await openUseCases({ minFreeBytes });
  const listeners = new Set<() => void>();
  const disk: Disk = { isRefilled: true, room: LEAST };
  const ballast = {
    watch: (onFull: () => void) => {
      listeners.add(onFull);
      return () => void listeners.delete(onFull);
    },
    refill: async () => disk.isRefilled,
  };
  const context = { ...cases.context, ballast };
  context.sounds.room = async () => disk.room;
  return {
    context,
    disk,
    fill: () => listeners.forEach((each) => each()),
    notice: (topic: "full" | "reserve") => context.health.notices.get(topic),
    [Symbol.asyncDispose]: () => cases[Symbol.asyncDispose](),
  };
}

test("[Z7] a full disk is noted once and ends running uploads", async () => {
  await using one = await openBallast();
  const { context } = one;
  const heard: string[] = [];
  context.notifier.listen("package:1", ({ type }) => void heard.push(type));
  const stop = watchFullDisk(context, () => heard.push("full"));
  expect(context.health.isFull).toBe(false);
  one.fill();
  one.fill();
  expect(heard).toEqual(["missed", "full"]);
  expect(context.health.isFull).toBe(true);
  expect(one.notice("full")).toMatch(/^The disk is full\. .* sending resumes within a minute\.$/);
  context.health.note("full", undefined);
  stop();
  one.fill();
  expect(context.health.isFull).toBe(false);
});

test("[Z7] it is over once the database has its reserve and a sound has room", async () => {
  await using one = await openBallast();
  const { context, disk } = one;
  const look = async (isRefilled: boolean, room: number | "unknown") => {
    Object.assign(disk, { isRefilled, room });
    await lookForRoom(context);
    return context.health.isFull;
  };
  expect(await look(true, LEAST)).toBe(false);
  expect(await look(false, LEAST)).toBe(true);
  expect(await look(true, LEAST - 1)).toBe(true);
  expect(await look(true, "unknown")).toBe(false);
  expect(await look(false, "unknown")).toBe(true);
  const { ballast: _none, ...without } = context;
  await lookForRoom(without);
  expect(context.health.isFull).toBe(true);
  expect(watchFullDisk(without, () => {})()).toBeUndefined();
});

test("[Z7] new packages are said to be refused where only the space is left that stays free", async () => {
  await using one = await openBallast(1000);
  const { context, disk } = one;
  const note = (room: number | "unknown") => {
    noteReserve(context, room);
    return one.notice("reserve");
  };
  expect(note(1000 + LEAST)).toBeUndefined();
  expect(note(999 + LEAST)).toMatch(/^The disk is almost full: SOUNDFERRY_MIN_FREE_BYTES stays/);
  expect(note("unknown")).toBeUndefined();
  Object.assign(disk, { isRefilled: true, room: LEAST });
  await lookForRoom(context);
  expect(one.notice("reserve")).toBeDefined();
  Object.assign(disk, { isRefilled: false });
  await lookForRoom(context);
  expect([one.notice("reserve"), context.health.isFull]).toEqual([undefined, true]);
  await using unreserved = await openBallast();
  noteReserve(unreserved.context, 0);
  expect(unreserved.notice("reserve")).toBeUndefined();
});
