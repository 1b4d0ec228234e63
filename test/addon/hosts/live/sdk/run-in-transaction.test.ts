import { describe, expect, test } from "vitest";
import { HostStepError } from "../../../../../addon/hosts/host.ts";
import type { LiveContext } from "../../../../../addon/hosts/live/sdk/live-api.ts";
import {
  type LiveStep,
  runInTransaction,
} from "../../../../../addon/hosts/live/sdk/run-in-transaction.ts";
import { Journals } from "../../../../../addon/runs/journal.ts";
import { temporaryFolder } from "../../../temporary-folder.ts";
import { withoutJournal } from "../../../../contracts/host/host-contract.ts";

type Transaction = LiveContext["withinTransaction"];

/** Takes steps with a transaction of Live's and a real journal; returns what the journal then holds. */
async function take(withinTransaction: Transaction, steps: readonly LiveStep[]) {
  const journals = new Journals(await temporaryFolder(), () => 0);
  const run = { runId: "run-1", hostName: "live", title: "Kit", earlier: [] };
  const journal = await journals.begin("pkg_a", run);
  const live: Partial<LiveContext> = { withinTransaction };
  await runInTransaction({ live: live as LiveContext, journal }, steps);
  return (await journals.read("pkg_a")).unfinished.get("live")?.steps;
}

/** Two steps, and what happened in order. */
function twoSteps() {
  const happened: string[] = [];
  const step = (label: string): LiveStep => ({
    label,
    act: async () => {
      happened.push(`${label} begins`);
      await Promise.resolve();
      happened.push(`${label} ends`);
    },
  });
  return { happened, steps: [step("one"), step("two")] };
}

test("[H2] every step has begun before the transaction's function returns", async () => {
  const { happened, steps } = twoSteps();
  await take((act) => {
    const outcome = act();
    happened.push("returned");
    return outcome;
  }, steps);
  expect(happened).toEqual(["one begins", "two begins", "returned", "one ends", "two ends"]);
});

describe("Live gives no transaction", () => {
  const refuses = (): never => {
    throw new Error("No.");
  };
  test("[H2] the steps are still taken", async () => {
    const { happened, steps } = twoSteps();
    await take(refuses, steps);
    expect(happened).toHaveLength(4);
  });

  test("[H2] and no step is taken twice where it refuses too late", async () => {
    const { happened, steps } = twoSteps();
    await take((act) => {
      act();
      return refuses();
    }, steps);
    expect(happened).toHaveLength(4);
  });

  test("[H2] or never calls back", async () => {
    const { happened, steps } = twoSteps();
    await take((() => undefined) as Transaction, steps);
    expect(happened).toHaveLength(4);
  });
});

test("[H8] reports a refusal without a reason with the step's label, and takes the other steps", async () => {
  const reported: HostStepError[] = [];
  const settled: string[] = [];
  const { happened, steps } = twoSteps();
  const journal = await take(
    (act) => act(),
    [
      {
        label: "make the clip Kick",
        // Live most often rejects without a reason.
        act: () => Promise.reject(undefined),
        refused: (error) => reported.push(error),
        settled: () => settled.push("Kick"),
      },
      ...steps,
    ],
  );
  expect(reported).toEqual([expect.any(HostStepError)]);
  expect(reported[0]?.message).toBe("Live couldn't make the clip Kick.");
  expect(settled).toEqual(["Kick"]);
  expect(happened).toHaveLength(4);
  expect(journal?.map(({ label, state }) => [label, state])).toEqual([
    ["make the clip Kick", "failed"],
    ["one", "done"],
    ["two", "done"],
  ]);
});

test("[R4] a step that can't be recorded isn't taken, and is reported", async () => {
  const { happened, steps } = twoSteps();
  const live = { withinTransaction: (act: () => unknown) => act() } as LiveContext;
  const full = new Error("The disk is full.");
  const journal = {
    runId: "run-1",
    earlier: [],
    step: () => Promise.reject(full),
    together: withoutJournal,
  };
  await expect(runInTransaction({ live, journal }, steps)).rejects.toBe(full);
  expect(happened).toEqual([]);
});
