import { spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { expect, test, vi } from "vitest";
import type { Limits, Window } from "../../../relay/domain/ports.ts";
import { SLICE_UNITS } from "../../../relay/limits/slices.ts";
import { seeded } from "../../contracts/relay/records/seeded.ts";
import { randomSeeds } from "../../runner/random-seed.ts";
import { until } from "../../sim/until.ts";
import { SetClock } from "../set-clock.ts";
import { plainStatement } from "../storage/records/plain-statement.ts";
import { limitsDatabase, openOnDatabase } from "./opened-postgres.ts";

const HOUR = 3_600_000;
const USED = plainStatement<{ readonly used: number }>(
  "used",
  "SELECT (SELECT sum(count)::int FROM unnest(counts) AS count) AS used FROM limit_counters",
);

/** Takes as many as it gets, many at a time. */
async function takeAll(limits: Limits, window: Window, key = "all"): Promise<number> {
  let taken = 0;
  for (;;) {
    const verdicts = await Promise.all(
      Array.from({ length: 40 }, async () => limits.take([{ bucket: "codes", key, window }])),
    );
    const allowed = verdicts.filter((verdict) => verdict.allowed).length;
    taken += allowed;
    if (allowed === 0) return taken;
  }
}

test("[SC17] three relays that take all of a large window at once get exactly as much as it has", async () => {
  await using opened = await openOnDatabase(await limitsDatabase(), 3);
  const window = { max: 2000, windowMs: 24 * HOUR };
  const taken = await Promise.all(opened.processes.map((limits) => takeAll(limits, window)));
  expect(taken.reduce((all, one) => all + one, 0)).toBe(2000);
});

test("[SC17] a large window costs a statement for up to 64 events", async () => {
  await using opened = await openOnDatabase(await limitsDatabase(), 1);
  const [limits] = opened.processes;
  const writes = vi.spyOn(opened.connections[0] ?? expect.fail(), "write");
  const window = { max: 30_000, windowMs: 24 * HOUR };
  for (let index = 0; index < 1280; index += 1)
    await limits?.take([{ bucket: "codes", key: "all", window }]);
  // 1, 2, 4 … 64, and then 64 at a time.
  expect(writes.mock.calls.length).toBeLessThanOrEqual(1280 / SLICE_UNITS + 7);
  expect(await limits?.take([{ bucket: "codes", key: "all", window }])).toMatchObject({
    remaining: 30_000 - 1281,
  });
});

test("[SC17] a relay that is killed takes its slice along, and no more", async () => {
  const url = await limitsDatabase();
  const window = { max: 1000, windowMs: 24 * HOUR };
  const words = [join(import.meta.dirname, "hold-slice.ts"), url, "1000", String(window.windowMs)];
  const child = spawn(process.execPath, words, { stdio: ["ignore", "pipe", "inherit"] });
  await once(child.stdout, "data");
  const ended = once(child, "exit");
  child.kill("SIGKILL");
  await ended;

  await using opened = await openOnDatabase(url, 2);
  const taken = await Promise.all(opened.processes.map((limits) => takeAll(limits, window)));
  const sum = taken.reduce((all, one) => all + one, 0);
  expect(sum).toBeLessThanOrEqual(900);
  expect(sum).toBeGreaterThanOrEqual(900 - SLICE_UNITS);

  // What it held leaves the window with all else.
  const later = () => Date.now() + window.windowMs + window.windowMs / 32;
  await using tomorrow = await openOnDatabase(url, 1, { time: later, clock: { now: later } });
  const [limits] = tomorrow.processes;
  expect(limits && (await takeAll(limits, window))).toBe(1000);
});

test("[SC17] what a relay doesn't use goes back, at its end and after a while", async () => {
  const clock = new SetClock();
  const options = { clock, time: () => clock.now() };
  const url = await limitsDatabase();
  const window = { max: 1000, windowMs: HOUR };
  await using other = await openOnDatabase(url, 1, options);
  const [limits] = other.processes;
  const left = async () =>
    (await limits?.take([{ bucket: "codes", key: "all", window }]))?.remaining;
  {
    await using first = await openOnDatabase(url, 1, options);
    for (let index = 0; index < 4; index += 1)
      await first.processes[0]?.take([{ bucket: "codes", key: "all", window }]);
    // It has asked for 1, 2 and 4.
    expect(await left()).toBe(1000 - 7 - 1);
  }
  clock.time += 1;
  // Its own two are the last ones that it knows of.
  expect(await left()).toBe(1000 - 4 - 2);
  clock.time += 2000;
  await until(async () => {
    const [row] = (await other.connections[0]?.read(USED())) ?? [];
    expect(row?.used).toBe(4 + 2);
  });
});

test("[SC17] events at random times never exceed a large window, and don't waste it", async () => {
  for (const seed of randomSeeds(2)) {
    const clock = new SetClock();
    const url = await limitsDatabase();
    await using opened = await openOnDatabase(url, 3, { clock, time: () => clock.now() });
    const window = { max: 700, windowMs: 64_000 };
    const random = seeded(seed).below;
    const events: number[] = [];
    for (let step = 0; step < 6000; step += 1) {
      clock.time += random(60);
      const limits = opened.processes[random(3)];
      const verdict = await limits?.take([{ bucket: "codes", key: "all", window }]);
      if (verdict?.allowed !== true) continue;
      if (random(10) === 0) await verdict.refund();
      else events.push(clock.time);
    }
    for (const [at, time] of events.entries()) {
      const within = events
        .slice(at, at + window.max + 1)
        .filter((other) => other < time + window.windowMs);
      expect(within.length, `seed ${seed}, event ${at}`).toBeLessThanOrEqual(window.max);
    }
    // 180 s hold almost three windows; what nobody has used goes back late, as fast as time goes here.
    expect(events.length, `seed ${seed}`).toBeGreaterThan(1.5 * window.max);
  }
});

test("[SC17] a full window is asked for once a second, however many events are refused", async () => {
  const clock = new SetClock();
  await using opened = await openOnDatabase(await limitsDatabase(), 1, {
    clock,
    time: () => clock.now(),
  });
  const [limits] = opened.processes;
  const window = { max: 601, windowMs: HOUR };
  if (limits === undefined) throw new Error("There is no process.");
  expect(await takeAll(limits, window)).toBe(601);
  const writes = vi.spyOn(opened.connections[0] ?? expect.fail(), "write");
  for (let index = 0; index < 500; index += 1) {
    const verdict = await limits.take([{ bucket: "codes", key: "all", window }]);
    expect(verdict.retryAfterSeconds).toBeGreaterThan(3500);
  }
  expect(writes.mock.calls.length).toBeLessThanOrEqual(1);
});
