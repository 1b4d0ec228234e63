import { describe, expect, test } from "vitest";
import type { BudgetLimits } from "../../../../core/quotas/budgets.ts";
import { Budget } from "../../../../relay/domain/admission/budgets.ts";
import { type Caller, strangerAt } from "../../../../relay/domain/caller.ts";

const OF_100: BudgetLimits = { perPairing: 4, perDevice: 8, perAddress: 10, all: 100 };
const WITH_PACE = { ...OF_100, perAddress: 100, pace: { units: 10, ms: 1000 } };
const SOON = { retryAfterSeconds: 2 };
const TOO_MUCH = expect.objectContaining({
  code: "TOO_MUCH_AT_ONCE",
  message: "Too much at once. Try again in 2 s.",
  extras: SOON,
});
const BUSY = expect.objectContaining({
  code: "BUSY",
  message: "The relay is busy. Try again in 2 s.",
  extras: SOON,
});

const app = (pairingId: string, more: Partial<Caller> = {}): Caller => ({
  ...strangerAt(`198.51.100.${pairingId.length}`),
  pairingId,
  deviceId: `device of ${pairingId}`,
  ...more,
});
const proven = (name: string) => app(name, { isProven: true });

/** A budget whose clock the test sets, and the names of those who were ended, in order. */
function open(limits: BudgetLimits) {
  const clock = { time: 0 };
  const ended: string[] = [];
  const budget = new Budget(limits, { now: () => clock.time });
  const hold = (name: string, caller: Caller, amount = 1) =>
    budget.take(caller, amount, (why) => ended.push(`${name} ${why.code}`));
  return { clock, ended, budget, hold };
}

describe("[L6] a budget", () => {
  test("holds each app, computer and address to its share, and gives back what ends", () => {
    const { budget } = open(OF_100);
    const four = [1, 2, 3, 4].map(() => budget.take(app("a")));
    expect(() => budget.take(app("a"))).toThrow(TOO_MUCH);
    const other = { deviceId: "device of a" };
    const three = budget.take(app("b", other), 4);
    expect(() => budget.take(app("c", other))).toThrow(TOO_MUCH);
    budget.take(app("d"), 2);
    expect(() => budget.take(app("e"))).toThrow(TOO_MUCH);
    budget.take(app("e", strangerAt("203.0.113.1")));
    for (const each of [...four, three, ...four]) each[Symbol.dispose]();
    expect(budget.used).toBe(3);
    budget.take(app("a"), 4);
    expect([budget.used, budget.max]).toEqual([7, 100]);
  });

  test("counts what grows, and refuses no more than the growth", () => {
    const { budget } = open(OF_100);
    const held = budget.take(app("a"));
    held.grow(3);
    expect(() => held.grow(1)).toThrow(TOO_MUCH);
    expect(budget.used).toBe(4);
    held[Symbol.dispose]();
    held.grow(3);
    expect(budget.used).toBe(0);
  });

  test("holds networks to 8 times the narrower share, but only once 70 % of all is used", () => {
    const { budget } = open({ ...OF_100, perAddress: 2, all: 40 });
    const from = (index: number) => budget.take(strangerAt(`192.0.2.${index}`), 2);
    for (let index = 0; index < 14; index += 1) from(index);
    expect(budget.used).toBe(28);
    expect(() => from(14)).toThrow(TOO_MUCH);
    budget.take(strangerAt("198.51.100.1"), 2);
    const campus = open({ ...OF_100, perAddress: 2, all: 400 });
    for (let index = 0; index < 100; index += 1) {
      campus.budget.take(strangerAt(`192.0.2.${index}`), 2);
    }
  });

  test("counts an attacker's /64s in the /56 and /48 around them", () => {
    const { budget } = open({ ...OF_100, perAddress: 1, all: 100 });
    for (let index = 0; index < 90; index += 1) {
      try {
        budget.take(strangerAt(`2001:db8:0:${index.toString(16)}::1`));
      } catch (error) {
        expect(error).toEqual(TOO_MUCH);
      }
    }
    expect(budget.used).toBe(70);
  });
});

describe("[L7] who is ended for others", () => {
  test("a quarter is kept for the proven, however many others come", () => {
    const { budget } = open({ ...OF_100, perAddress: 100 });
    for (let index = 0; index < 75; index += 1) budget.take(app(`app ${index}`));
    expect(() => budget.take(app("another"))).toThrow(BUSY);
    for (let index = 0; index < 25; index += 1) budget.take(proven(`good ${index}`));
    expect(budget.used).toBe(100);
    expect(() => budget.take(proven("too late"))).toThrow(BUSY);
  });

  test("the proven leave three quarters to others while they don't need them", () => {
    const { budget } = open({ ...OF_100, perAddress: 100 });
    for (let index = 0; index < 60; index += 1) budget.take(proven(`good ${index}`));
    for (let index = 0; index < 40; index += 1) budget.take(app(`app ${index}`));
    expect(() => budget.take(app("another"))).toThrow(BUSY);
  });

  test("what stands still first, the longest silent one, and no more than is needed", () => {
    const { budget, clock, ended, hold } = open(WITH_PACE);
    const helds = ["a", "b", "c", "d", "e"].map((name) =>
      hold(name, strangerAt(`192.0.2.${name}`), 15),
    );
    clock.time = 900;
    helds[0]?.moved(10);
    helds[1]?.moved(9);
    clock.time = 1000;
    expect(() => hold("big", strangerAt("203.0.113.1"), 80)).toThrow(BUSY);
    expect(ended).toEqual([]);
    hold("f", strangerAt("203.0.113.1"), 16);
    expect(ended).toEqual(["b BUSY", "c BUSY"]);
    expect(budget.used).toBe(61);
    expect(budget.shed).toBe(2);
  });

  test("a trickle below the pace stands still", () => {
    const { clock, ended, hold } = open(WITH_PACE);
    const trickle = hold("trickle", strangerAt("192.0.2.1"), 40);
    const moving = hold("moving", strangerAt("192.0.2.2"), 30);
    for (let tenth = 0; tenth < 20; tenth += 1) {
      clock.time += 100;
      if (tenth % 10 < 9) trickle.moved(0.5);
      moving.moved(1);
    }
    hold("new", strangerAt("192.0.2.3"), 20);
    expect(ended).toEqual(["trickle BUSY"]);
  });

  test("nobody ends what goes on but the proven, and those end the newest unproven one", () => {
    const { ended, hold, budget } = open({ ...WITH_PACE, all: 4 });
    hold("first", strangerAt("192.0.2.1"));
    hold("second", strangerAt("192.0.2.2"));
    hold("third", strangerAt("192.0.2.3"));
    expect(() => hold("stranger", strangerAt("192.0.2.4"))).toThrow(BUSY);
    hold("good", proven("good"));
    hold("better", proven("better"));
    expect(ended).toEqual(["third BUSY"]);
    hold("best", proven("best"));
    hold("last", proven("last"));
    expect(ended).toEqual(["third BUSY", "second BUSY", "first BUSY"]);
    expect(() => hold("late", proven("late"))).toThrow(BUSY);
    expect(budget.used).toBe(4);
  });

  test("nobody ends something better proven, however long it stands still", () => {
    const { clock, ended, hold } = open({ ...WITH_PACE, all: 4 });
    for (const name of ["a", "b", "c", "d"]) hold(name, proven(name));
    clock.time = 60_000;
    expect(() => hold("stranger", strangerAt("192.0.2.4"))).toThrow(BUSY);
    hold("e", proven("e"));
    expect(ended).toEqual(["a BUSY"]);
  });

  test("what is in use, or can't be ended, is not ended; who is vouched for counts as proven", () => {
    const { clock, ended, hold, budget } = open({ ...WITH_PACE, all: 4 });
    const used = hold("used", strangerAt("192.0.2.1"));
    used.use(true);
    budget.take(strangerAt("192.0.2.2"));
    const vouched = hold("vouched", strangerAt("192.0.2.3"));
    vouched.markProven();
    hold("idle", strangerAt("192.0.2.4"));
    clock.time = 60_000;
    hold("new", strangerAt("192.0.2.5"));
    expect(ended).toEqual(["idle BUSY"]);
    expect(() => hold("newer", strangerAt("192.0.2.6"))).toThrow(BUSY);
    clock.time += 1;
    used.use(false);
    clock.time += 1000;
    const newest = hold("newest", strangerAt("192.0.2.7"));
    expect(ended).toEqual(["idle BUSY", "new BUSY"]);
    newest[Symbol.dispose]();
    hold("after", strangerAt("192.0.2.8"));
    expect(ended).toHaveLength(2);
  });

  test("a flood of those who ask costs a look at all of them now and then, not each time", () => {
    const { clock, ended, hold } = open({ ...WITH_PACE, all: 4000, perAddress: 4000 });
    for (let index = 0; index < 3000; index += 1) hold(`${index}`, strangerAt("192.0.2.1"));
    clock.time = 1000;
    for (let index = 0; index < 2000; index += 1) hold(`new ${index}`, strangerAt("192.0.2.2"));
    expect(ended).toHaveLength(2000);
    expect(ended.slice(0, 2)).toEqual(["0 BUSY", "1 BUSY"]);
    expect(ended.at(-1)).toBe("1999 BUSY");
  });

  test("growing ends others, and never oneself", () => {
    const { clock, ended, hold } = open(WITH_PACE);
    const growing = hold("growing", strangerAt("192.0.2.1"), 40);
    hold("still", strangerAt("192.0.2.2"), 30);
    clock.time = 5000;
    growing.grow(20);
    expect(ended).toEqual(["still BUSY"]);
    expect(() => growing.grow(20)).toThrow(BUSY);
  });
});
