import * as fc from "fast-check";
import type { UseCases } from "../../relay/domain/use-cases.ts";
import { deeds, Step } from "./steps.ts";
import { Studio } from "./studio.ts";

/** Commands of one life: each starts with an empty relay. */
const MAX_COMMANDS = 120;
const LIVES_PER_ROUND = 10;

export interface ModelRun {
  readonly steps: number;
  readonly seed: number;
  readonly open: () => Promise<UseCases>;
  /** Without, the first history that goes wrong is good enough. */
  readonly shrinks?: boolean;
}

/**
 * Does at least `steps` random steps to relays and compares each with the model.
 * @returns how many steps were done
 * @throws {Error} with the shortest history that it found to go wrong, and how to repeat it
 */
export async function runModel({ steps, seed, open, shrinks = true }: ModelRun): Promise<number> {
  let done = 0;
  const commands = fc.commands([deeds.map((deed) => new Step(deed, () => (done += 1)))], {
    maxCommands: MAX_COMMANDS,
    size: "max",
  });
  const life = fc.asyncProperty(commands, async (history) => {
    await using cases = await open();
    const start = async () => ({ model: { packages: [] }, real: await Studio.open(cases) });
    await fc.asyncModelRun(start, history);
  });
  const isDone = () => done >= steps;
  for (let round = 0; !isDone(); round += 1) {
    await fc.assert(life, { seed: seed + round, numRuns: LIVES_PER_ROUND, endOnFailure: !shrinks });
  }
  return done;
}
