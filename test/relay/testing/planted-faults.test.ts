import { describe, expect, test } from "vitest";
import { faultCases, PLANTED_FAULTS } from "../../contracts/relay/index.ts";
import { makeMemoryProcesses, makeMemoryRecords, makeMemorySounds } from "./memory-stores.ts";
import { makeSteadyClocks } from "./steady-clocks.ts";

const MAKERS = {
  records: makeMemoryRecords,
  sounds: makeMemorySounds,
  notifier: makeMemoryProcesses,
  clock: makeSteadyClocks,
};

describe.concurrent("the suites are sharp", () => {
  for (const { title, run } of faultCases(MAKERS)) test(title, run);
});

test("there is a case for every planted fault of the given ports", () => {
  expect(faultCases(MAKERS)).toHaveLength(PLANTED_FAULTS.length);
  expect(faultCases({ clock: makeSteadyClocks })).toHaveLength(1);
  expect(faultCases({})).toEqual([]);
});

test("a power cut that cuts nothing off is found out", async () => {
  const uncut = async () => ({ ...(await makeMemorySounds()), powerCut: async () => {} });
  const [early] = faultCases({ sounds: uncut });
  await expect(early?.run()).rejects.toThrow('not caught by "[J1] a finished sound survives');
});

test("a store with a fault of its own proves nothing", async () => {
  const forgetful = async () => {
    const under = await makeMemorySounds();
    const powerCut = async () => {
      await under.powerCut();
      await (await under.open()).delete(["pkg_0/snd_0"]);
    };
    return { ...under, powerCut };
  };
  const [early] = faultCases({ sounds: forgetful });
  await expect(early?.run()).rejects.toThrow("fails without a planted fault");
});
