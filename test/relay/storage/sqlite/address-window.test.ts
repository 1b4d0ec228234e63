import { DatabaseSync } from "node:sqlite";
import { expect, test } from "vitest";
import { addressWindows } from "../../../../relay/storage/sqlite/address-window.ts";
import { applyMigrations } from "../../../../relay/storage/sqlite/migrations.ts";
import { DAY, HOUR, T0 } from "../../../contracts/relay/records/sample-records.ts";

const ADDRESS = "192.0.2.1";

function openWindows() {
  const database = new DatabaseSync(":memory:");
  applyMigrations(database);
  const windows = addressWindows(database);
  return {
    add: (hour: number, bytes: number) =>
      windows.add({
        address: ADDRESS,
        bytes,
        at: T0 + hour * HOUR,
      }),
    read: (hour: number) => windows.read(ADDRESS, T0 + hour * HOUR),
    forgetUntil: (hour: number) =>
      database.prepare("DELETE FROM received WHERE at <= ?").run(T0 + hour * HOUR),
    [Symbol.dispose]: () => database.close(),
  };
}

test("[L4] a day's bytes leave the window one announcement after the other", () => {
  using windows = openWindows();
  for (const hour of [0, 1, 2]) windows.add(hour, 100);
  const window = windows.read(3);
  expect(window.bytes).toBe(300);
  const freed = [1, 100, 101, 300, 301].map((excess) => (window.freeAt(excess) - T0) / HOUR);
  expect(freed).toEqual([24, 24, 25, 26, 27]);
  expect([24, 25, 26].map((hour) => windows.read(hour).bytes)).toEqual([200, 100, 0]);
});

test("[L4] forgetting old announcements changes nothing in the window", () => {
  using windows = openWindows();
  for (const hour of [0, 10, 20]) windows.add(hour, 100);
  windows.forgetUntil(5);
  expect(windows.read(29).bytes).toBe(200);
  windows.add(29, 50);
  const window = windows.read(30);
  expect(window.bytes).toBe(250);
  expect(window.freeAt(101)).toBe(T0 + 20 * HOUR + DAY);
});

test("[L4] an announcement with the clock set back counts among those around it", () => {
  using windows = openWindows();
  for (const hour of [0, 20]) windows.add(hour, 100);
  windows.forgetUntil(6);
  windows.add(10, 7);
  expect(windows.read(21).bytes).toBe(107);
  expect(windows.read(34).bytes).toBe(100);
  // The announcement of hour 20 is a day in the future.
  expect(windows.read(-4).bytes).toBe(7);
});
