import { afterEach, expect, test, vi } from "vitest";
import { escapeText, unescapeText } from "../../../../relay/storage/postgres/client-line.ts";
import { DatabaseClock } from "../../../../relay/storage/postgres/database-clock.ts";

afterEach(() => {
  vi.useRealTimers();
});

/** A database whose time is this computer's, set by so much. */
function databaseAt(set: { ms: number }) {
  const read = async () => [{ now: performance.timeOrigin + performance.now() + set.ms }];
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the clock asks for nothing else
  return { read } as unknown as Parameters<typeof DatabaseClock.start>[0];
}

test("[J3][SC4] the time follows the database's, and stands while that is behind", async () => {
  vi.useFakeTimers({ toFake: ["setInterval", "clearInterval", "performance"] });
  const set = { ms: 5 * 3_600_000 };
  using clock = await DatabaseClock.start(databaseAt(set), () => {});
  const expected = () => Math.floor(performance.timeOrigin + performance.now() + set.ms);
  expect(Math.abs(clock.now() - expected())).toBeLessThanOrEqual(1);

  set.ms += 5000;
  await vi.advanceTimersByTimeAsync(10_000);
  expect(Math.abs(clock.now() - expected())).toBeLessThanOrEqual(1);

  const before = clock.now();
  set.ms -= 20_000;
  await vi.advanceTimersByTimeAsync(10_000);
  expect(clock.now()).toBe(before);
  await vi.advanceTimersByTimeAsync(20_000);
  expect(Math.abs(clock.now() - expected())).toBeLessThanOrEqual(1);
});

test("[SC4] the time goes on while the database can't be reached, and says so", async () => {
  vi.useFakeTimers({ toFake: ["setInterval", "clearInterval", "performance"] });
  const database = databaseAt({ ms: 0 });
  const troubles: string[] = [];
  using clock = await DatabaseClock.start(database, (error) => troubles.push(error.message));
  const before = clock.now();
  database.read = () => Promise.reject(new Error("The database is gone."));
  await vi.advanceTimersByTimeAsync(20_000);
  expect(clock.now() - before).toBe(20_000);
  expect(troubles).toEqual(Array(2).fill("The database is gone."));
});

test("[SC6] every text comes back as it was", () => {
  for (const text of ["", "plain", "\u0000", "\u001b", "\u001b0", "\u001b\u00000\u001b1"]) {
    expect(escapeText(text)).not.toContain("\u0000");
    expect(unescapeText(escapeText(text))).toBe(text);
  }
});
