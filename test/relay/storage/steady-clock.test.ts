import { describe, expect, test } from "vitest";
import { SteadyClock } from "../../../relay/storage/steady-clock.ts";
import { seeded } from "../../contracts/relay/records/seeded.ts";
import { RANDOM_SEED } from "../../runner/random-seed.ts";

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
const T0 = 1_767_225_600_000;
const PROOF = 10 * MINUTE;

/** A clock on two sources that the test sets. All times are since T0. */
function open(keptTime?: number) {
  const sources = { wall: T0, monotonic: 12_345.5 };
  const clock = new SteadyClock(
    { wall: () => sources.wall, monotonic: () => sources.monotonic },
    { proofMs: PROOF, keptTime: keptTime === undefined ? undefined : T0 + keptTime },
  );
  const read = () => [clock.now() - T0, clock.confirmedNow() - T0];
  return {
    clock,
    read,
    kind: () => clock.findJump()?.kind,
    pass: (ms: number) => {
      sources.wall += ms;
      sources.monotonic += ms;
      return read();
    },
    jump: (ms: number) => {
      sources.wall += ms;
      return read();
    },
  };
}

/** A clock of which only the relay time is read. */
function openNow() {
  const { pass, jump } = open();
  return { pass: (ms: number) => pass(ms)[0] ?? NaN, setBack: (ms: number) => void jump(-ms) };
}

test("[J3] looks in one millisecond read the steady source once, and every look after the clock was set", () => {
  let [wall, reads] = [T0, 0];
  const clock = new SteadyClock({ wall: () => wall, monotonic: () => (reads += 1) });
  const readsOf = (looks: number) => {
    const before = reads;
    for (let look = 0; look < looks; look += 1) clock.now();
    return reads - before;
  };
  expect(readsOf(4)).toBe(1);
  wall += 1;
  expect(readsOf(4)).toBe(1);
  wall -= MINUTE;
  expect(readsOf(4)).toBe(4);
});

test("the clock is the wall clock, in whole milliseconds, also after a step forward", () => {
  const { pass, setBack } = openNow();
  expect([pass(0), pass(1000), pass(0.7), pass(0.4)]).toEqual([0, 1000, 1000, 1001]);
  setBack(-HOUR);
  expect(pass(999)).toBe(HOUR + 2000);
});

test("[J3] the clock goes on at half speed after the wall clock was set back, until that has caught up", () => {
  const { pass, setBack } = openNow();
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
  const { pass, setBack } = openNow();
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

describe("a jump forward", () => {
  test("[Z6] of an hour is followed at once, of more only after both clocks agreed for the proof", () => {
    const { pass, jump, kind, clock } = open();
    pass(0);
    expect(jump(HOUR)).toEqual([HOUR, HOUR]);
    expect(jump(HOUR + 1)).toEqual([2 * HOUR + 1, HOUR]);
    expect(clock.findJump()).toEqual({ kind: "forward", provenAt: T0 + 2 * HOUR + 1 + PROOF });
    expect(pass(PROOF - 1)).toEqual([2 * HOUR + PROOF, HOUR + PROOF - 1]);
    expect(pass(1)).toEqual([2 * HOUR + PROOF + 1, 2 * HOUR + PROOF + 1]);
    expect(kind()).toBeUndefined();
  });

  test("[Z6] during the proof starts it again; a small step doesn't", () => {
    const { pass, jump, kind } = open();
    pass(0);
    jump(8 * HOUR);
    pass(PROOF - 1);
    jump(8 * HOUR);
    jump(-5000);
    expect(pass(PROOF - 1)[1]).toBe(2 * PROOF - 2);
    expect(kind()).toBe("forward");
    const [now, proven] = pass(1);
    expect(proven).toBe(16 * HOUR - 5000 + 2 * PROOF - 1);
    expect(now).toBeGreaterThanOrEqual(proven ?? 0);
  });

  test("[Z6] that is reversed is over at once", () => {
    const { pass, jump, kind } = open();
    pass(0);
    jump(2 * DAY);
    pass(MINUTE);
    const [now, proven] = jump(-2 * DAY);
    expect(proven).toBe(MINUTE);
    expect(now).toBe(2 * DAY + MINUTE);
    expect(kind()).toBe("back");
    expect(pass(HOUR)[1]).toBe(HOUR + MINUTE);
  });

  test("[Z6] doesn't pass for proven because nobody looked", () => {
    const { pass, jump } = open();
    pass(0);
    jump(8 * HOUR);
    expect(pass(PROOF)[1]).toBe(8 * HOUR + PROOF);
    jump(8 * HOUR + PROOF);
    expect(pass(PROOF - 1)[1]).toBe(8 * HOUR + 2 * PROOF - 1);
  });
});

describe("a jump back", () => {
  test("[Z6] the proven time stands until the clock has caught up; the relay's time goes on", () => {
    const { pass, jump, kind } = open();
    pass(0);
    expect(jump(-2 * DAY)).toEqual([0, 0]);
    expect(kind()).toBe("back");
    expect(pass(DAY)).toEqual([DAY / 2, 0]);
    expect(pass(DAY)).toEqual([DAY, 0]);
    expect(pass(HOUR)).toEqual([DAY + HOUR / 2, HOUR]);
    expect(pass(2 * DAY - HOUR)).toEqual([2 * DAY, 2 * DAY]);
    expect(kind()).toBeUndefined();
  });

  test("[Z6] of less than an hour needs no word", () => {
    const { pass, jump, kind } = open();
    pass(0);
    jump(-HOUR);
    expect(kind()).toBeUndefined();
  });

  test("[Z6] is forgotten when an operator says that the clock is right", () => {
    const { pass, jump, clock, kind } = open();
    pass(0);
    jump(-2 * DAY);
    clock.restart();
    expect(pass(MINUTE)).toEqual([MINUTE - 2 * DAY, MINUTE - 2 * DAY]);
    expect(kind()).toBeUndefined();
  });
});

describe("a start", () => {
  test("[Z6] trusts the clock without a kept time, and within an hour of it", () => {
    expect(open().read()).toEqual([0, 0]);
    expect(open(-HOUR).read()).toEqual([0, 0]);
  });

  test("[Z6] goes on from the kept time after days off, until the proof is over", () => {
    const { read, pass, kind } = open(-3 * DAY);
    expect(read()).toEqual([0, -3 * DAY]);
    expect(kind()).toBe("forward");
    expect(pass(PROOF - 1)).toEqual([PROOF - 1, PROOF - 1 - 3 * DAY]);
    expect(pass(1)).toEqual([PROOF, PROOF]);
  });

  test("[Z6] with a clock that is behind the kept time, both go on from there", () => {
    const { read, pass, kind } = open(2 * DAY);
    expect(read()).toEqual([2 * DAY, 2 * DAY]);
    expect(kind()).toBe("back");
    expect(pass(HOUR)).toEqual([2 * DAY + HOUR / 2, 2 * DAY]);
  });
});

test("[Z6] the proven time never goes back and is never after the relay's time, however the clock jumps", () => {
  const { pass, jump, clock } = open(0);
  const { below: random } = seeded(RANDOM_SEED);
  let last = clock.confirmedNow();
  for (let step = 0; step < 20_000; step += 1) {
    if (random(5) === 0) jump(random(4 * DAY) - 2 * DAY);
    pass(random(3 * MINUTE) + 0.5);
    const proven = clock.confirmedNow();
    expect(proven).toBeGreaterThanOrEqual(last);
    expect(proven).toBeLessThanOrEqual(clock.now());
    last = proven;
  }
});
