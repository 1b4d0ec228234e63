import assert from "node:assert/strict";
import { clockContract } from "../clock-contract.ts";
import type { ContractCase, WaitOptions } from "../contract.ts";
import { notifierContract } from "../notifier/notifier-contract.ts";
import { recordsContract } from "../records/records-contract.ts";
import { soundStoreContract } from "../sounds/sound-store-contract.ts";
import type { FaultOf, FaultyPort, PlantedFault, StoreMakers } from "./planted-fault.ts";
import { PROCESS_FAULTS } from "./process-faults.ts";
import { RECORDS_FAULTS } from "./records-faults.ts";
import { SOUND_FAULTS } from "./sound-faults.ts";
import { SOUND_KEY_FAULTS } from "./sound-key-faults.ts";

/** Longest wait with the fault: a lost notification or another time never arrives. */
const IN_VAIN_MS = 1000;

type Suites = {
  readonly [Port in FaultyPort]: (
    make: StoreMakers[Port],
    options?: WaitOptions,
  ) => readonly ContractCase[];
};

const SUITES: Suites = {
  records: recordsContract,
  sounds: soundStoreContract,
  notifier: notifierContract,
  clock: clockContract,
};

/** Every fault that the suites must notice. */
export const PLANTED_FAULTS: readonly PlantedFault[] = [
  ...RECORDS_FAULTS,
  ...SOUND_KEY_FAULTS,
  ...SOUND_FAULTS,
  ...PROCESS_FAULTS,
];

/**
 * Makes cases that test the tests. Each case plants one fault into stores of the given ports. It fails unless every
 * case of the suites that names the broken promise fails with the fault, and passes without it. If it fails, the
 * function that makes the stores hides faults, for example by a power cut that doesn't end running calls.
 */
export function faultCases(makers: Partial<StoreMakers>): readonly ContractCase[] {
  const { records, sounds, notifier, clock } = makers;
  return PLANTED_FAULTS.flatMap((fault) => {
    switch (fault.port) {
      case "records":
        return records === undefined ? [] : [caseOf(fault, records)];
      case "sounds":
        return sounds === undefined ? [] : [caseOf(fault, sounds)];
      case "notifier":
        return notifier === undefined ? [] : [caseOf(fault, notifier)];
      case "clock":
        return clock === undefined ? [] : [caseOf(fault, clock)];
    }
  });
}

function caseOf<Port extends FaultyPort>(
  { name, port, does, caughtBy, plant }: FaultOf<Port>,
  make: StoreMakers[Port],
): ContractCase {
  const rules = new Set(caughtBy.flatMap((title) => title.match(/\[[A-Z]\d+\]/g) ?? []));
  return {
    title: `${[...rules].join("")} a planted fault is caught: ${name}`,
    run: async () => {
      const suite = SUITES[port];
      const [healthy, faulty] = [suite(make), suite(plant(make), { patienceMs: IN_VAIN_MS })];
      const reports: string[] = [];
      for (const title of caughtBy) {
        const failure = await failureOf(healthy, title);
        assert.equal(failure, undefined, `"${title}" fails without a planted fault: ${failure}`);
        const caught = await failureOf(faulty, title);
        reports.push(`${caught === undefined ? "not caught" : "caught"} by "${title}"`);
      }
      const isCaught = reports.every((report) => report.startsWith("caught"));
      assert.ok(isCaught, [`A planted fault: ${does}`, ...reports].join("\n"));
    },
  };
}

/** Runs a case. Returns its failure; undefined if it passes. */
async function failureOf(
  cases: readonly ContractCase[],
  title: string,
): Promise<string | undefined> {
  const named = cases.find((each) => each.title === title);
  assert.ok(named, `The suite has no case "${title}".`);
  try {
    await named.run();
    return undefined;
  } catch (error) {
    return String(error);
  }
}
