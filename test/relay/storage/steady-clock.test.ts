import { expect, test } from "vitest";
import { SteadyClock } from "../../../relay/storage/steady-clock.ts";
import { seeded } from "../../contracts/relay/records/seeded.ts";
import { RANDOM_SEED } from "../../runner/random-seed.ts";

const HOUR = 3_600_000;
const T0 = 1_767_225_600_000;

/** A clock on two sources that the test sets. */
function open() {
  const sources = { wall: T0, monotonic: 12_345.5 };
  const clock = new SteadyClock({
    wall: () => sources.wall,
    monotonic: () => sources.monotonic,
  });
  const pass = (ms: number): number => {
    sources.wall += ms;
    sources.monotonic += ms;
    return clock.now() - T0;
  };
  return { pass, setBack: (ms: number) => (sources.wall -= ms) };
}

test("the clock is the wall clock, in whole milliseconds, also after a step forward", () => {
  const { pass, setBack } = open();
  expect([pass(0), pass(1000), pass(0.7), pass(0.4)]).toEqual([0, 1000, 1000, 1001]);
  setBack(-HOUR);
  expect(pass(999)).toBe(HOUR + 2000);
});

test("[J3] the clock goes on at half speed after the wall clock was set back, until that has caught up", () => {
  const { pass, setBack } = open();
  pass(0);
  setBack(HOUR);
  expect(pass(0)).toBe(0);
  expect(pass(1000)).toBe(500);
  expect(pass(1)).toBe(500);
  expect(pass(1)).toBe(501);
  expect(pass(HOUR)).toBe(HOUR / 2 + 501);
  // An hour behind, at half speed: they meet after two hours.
  expect(pass(HOUR - 1002)).toBe(HOUR);
  expect(pass(1000)).toBe(HOUR + 1000);
});

test("[J3] the clock never goes back, wherever the wall clock is set", () => {
  const { pass, setBack } = open();
  const random = seeded(RANDOM_SEED);
  let last = pass(0);
  for (let step = 0; step < 10_000; step += 1) {
    if (step % 7 === 0) setBack(random.below(20_000) - 10_000);
    const now = pass(random.below(1000) / 10);
    expect(now).toBeGreaterThanOrEqual(last);
    expect(Number.isInteger(now)).toBe(true);
    last = now;
  }
});
