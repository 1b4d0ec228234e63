import { expect, test } from "vitest";
import type { RelayClock } from "../../../relay/domain/ports.ts";
import { SteadyClock } from "../../../relay/storage/steady-clock.ts";
import { opening, replacing } from "../../contracts/relay/faults/planted-fault.ts";
import { recordsContract } from "../../contracts/relay/index.ts";
import { makeMemoryRecords } from "./memory-stores.ts";

/** The suite's clock cases, for a memory store in which each instance has a clock. */
function clockCases(makeClock: () => RelayClock | undefined) {
  const make = async () => {
    const under = await makeMemoryRecords();
    const withClock = () => {
      const clock = makeClock();
      return clock === undefined ? {} : { clock };
    };
    return replacing(under, { open: opening(under, withClock) });
  };
  const cases = recordsContract(make, { patienceMs: 200 });
  return cases.filter(({ title }) => title.startsWith("[J3]"));
}

/** Titles of the clock cases that fail. */
async function failures(makeClock: () => RelayClock | undefined): Promise<readonly string[]> {
  const failed: string[] = [];
  for (const { title, run } of clockCases(makeClock)) {
    const isKept = await run().then(
      () => true,
      () => false,
    );
    if (!isKept) failed.push(title);
  }
  return failed;
}

const alwaysRight = (now: () => number): RelayClock => ({ now, confirmedNow: now });
const steady = () =>
  new SteadyClock({ wall: () => Date.now(), monotonic: () => performance.now() });

for (const { title, run } of clockCases(steady)) test(title, run);

test("[J3] a store's clock that stands still is found out", async () => {
  const frozen = Date.now();
  const [caught, ...others] = await failures(() => alwaysRight(() => frozen));
  expect(caught).toMatch(/does not stand still$/);
  expect(others).toEqual([]);
});

test("[J3] a store's clock in 1970 is found out", async () => {
  const [caught, ...others] = await failures(() =>
    alwaysRight(() => Math.floor(performance.now())),
  );
  expect(caught).toMatch(/whole milliseconds since 1970$/);
  expect(others).toEqual([]);
});

test("[J3] a store that has a clock in only one of two instances is found out", async () => {
  let opened = 0;
  const every = await failures(() => ((opened += 1) % 2 === 0 ? steady() : undefined));
  expect(every).toHaveLength(3);
});

test("[Z6] a proven time that is ahead of the relay's time, or goes back, is found out", async () => {
  const clock = steady();
  const now = () => clock.now();
  let readings = 0;
  const goingBack = () => now() - ((readings += 1) % 2 === 0 ? 1000 : 0);
  for (const confirmedNow of [() => now() + 1000, goingBack]) {
    const [caught, ...others] = await failures(() => ({ now, confirmedNow }));
    expect(caught).toMatch(/never goes back/);
    expect(others).toEqual([]);
  }
});
